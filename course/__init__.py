"""The course: concepts, questions, grading, mastery, the progress store and exports. No Streamlit here."""
