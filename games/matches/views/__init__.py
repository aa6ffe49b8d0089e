"""The site's common pages and forms."""
