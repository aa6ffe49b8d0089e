"""The tokens of programs in the admin: whose, since when, never the secret or its hash."""

from django.contrib import admin

from accounts.models import ApiToken
from economy.admin_base import ReadOnlyAdmin


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """Tokens to look at; their users make and revoke them."""

    list_display = ("name", "user", "prefix", "created_at", "last_used_at", "revoked_at")
    list_filter = (("revoked_at", admin.EmptyFieldListFilter),)
    list_select_related = ("user",)
    search_fields = ("user__username", "prefix")
    search_help_text = "A user's name or a token's beginning"
    fields = ("name", "user", "prefix", "created_at", "last_used_at", "revoked_at")
