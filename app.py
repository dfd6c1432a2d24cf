"""Backstep: configuration and navigation, nothing else."""

from pathlib import Path

import streamlit as st

from ui import guard, look, session

#: (file in pages/, title, icon, path); the first is the start page.
PAGES = (
    ("start", "Start", ":material/home:", ""),
    ("step", "Step", ":material/footprint:", "step"),
    ("concepts", "Concepts", ":material/style:", "concepts"),
    ("labs", "Labs", ":material/science:", "labs"),
    ("doctor", "Doctor", ":material/stethoscope:", "doctor"),
    ("test", "Test", ":material/checklist:", "test"),
    ("progress", "Progress", ":material/trending_up:", "progress"),
    ("teach", "Teach", ":material/school:", "teach"),
)

root = Path(__file__).parent
st.set_page_config(page_title="Backstep", page_icon=root / "assets" / "app" / "icon.svg", layout="wide")
look.apply()
navigation = st.navigation(
    [
        st.Page(f"pages/{name}.py", title=title, icon=icon, url_path=path or None, default=not path)
        for name, title, icon, path in PAGES
    ],
    position="top",
)
with guard.guarded():
    session.log_in()
    navigation.run()
