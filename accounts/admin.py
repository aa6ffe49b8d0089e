"""Users in the admin, whose log-in is the site's own."""

from typing import TYPE_CHECKING, Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from accounts.models import User

# One log-in page for all, so that its rate limits hold for the admin as well.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]


if TYPE_CHECKING:
    PlayerAdminBase = UserAdmin[User]
else:
    PlayerAdminBase = UserAdmin  # the stubs make it generic; Django's own class is not


@admin.register(User)
class PlayerAdmin(PlayerAdminBase):
    """Users; banning is taking away "active".  Nobody is deleted: the ledger names them."""

    list_display = ("username", "email", "is_active", "is_bot", "is_staff", "date_joined")
    list_filter = ("is_active", "is_bot", "is_staff")
    search_fields = ("username", "email")
    fieldsets = (
        *(UserAdmin.fieldsets or ()),
        ("Play", {"fields": ("is_bot", "theme")}),
    )
    readonly_fields = ("is_bot", "last_login", "date_joined")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Users are never deleted here."""
        return False
