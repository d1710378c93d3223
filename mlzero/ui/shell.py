"""The frame around every page: title, theme, navigation."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

ASSETS = Path(__file__).resolve().parents[2] / "assets"
PAGES = {
    "new_run": ("pages/new_run.py", "New run", ":material/add_circle:"),
    "run": ("pages/run.py", "Run", ":material/monitoring:"),
    "predict": ("pages/predict.py", "Predict", ":material/online_prediction:"),
    "history": ("pages/history.py", "History", ":material/history:"),
    "settings": ("pages/settings.py", "Settings", ":material/settings:"),
}


def main() -> None:
    """Draw the page that the address asks for."""
    st.set_page_config(page_title="MLZero", page_icon=str(ASSETS / "logo.svg"), layout="wide")
    st.html(ASSETS / "style.css")
    st.logo(str(ASSETS / "wordmark.svg"), size="large")
    pages = [
        st.Page(path, title=title, icon=icon, url_path=name if name != "new_run" else None, default=name == "new_run")
        for name, (path, title, icon) in PAGES.items()
    ]
    st.navigation(pages, position="top").run()


def page(name: str) -> str:
    """The script of a page, for links and switches."""
    return PAGES[name][0]


def invite(why: str) -> None:
    """Why there is nothing to show yet, and the way to a new run."""
    st.info(why, icon=":material/info:")
    st.page_link(page("new_run"), label="Start a new run", icon=":material/add_circle:")
