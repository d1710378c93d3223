"""The person behind a page view."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from mlzero.ui import security

LOCAL = "local"  # the one owner when the pages run without the server's middleware


@dataclass(frozen=True)
class Visitor:
    """Who looks at the page.

    `owner` is whom runs belong to; `cookie` is what the routes can see, so tickets are bound to it.
    """

    owner: str
    cookie: str


def visitor() -> Visitor:
    """The person of this page view; stops the page with a sentence when nobody can be told apart."""
    cookie = security.checked(st.context.cookies.get(security.COOKIE))
    signed_in = _signed_in()
    if signed_in is None and _sign_in_configured():
        _ask_to_sign_in()
    if cookie is None:
        from mlzero.ui.routes import serving

        if serving():
            st.error("This page needs a cookie to keep your runs apart from those of others. Allow cookies and reload.")
            st.stop()
        cookie = ""
    return Visitor(owner=signed_in or cookie or LOCAL, cookie=cookie)


def _sign_in_configured() -> bool:
    try:
        return "auth" in st.secrets
    except FileNotFoundError:
        return False


def _signed_in() -> str | None:
    if not getattr(st.user, "is_logged_in", False):
        return None
    return f"person:{st.user.get('iss', '')}:{st.user['sub']}"


def _ask_to_sign_in() -> None:
    st.title("MLZero")
    st.write("Sign in to see your runs.")
    if st.button("Sign in", type="primary", key="sign_in"):
        st.login()
    st.stop()
