"""The Doctor: from a symptom, a message or a program to the line that is wrong."""

from ui import doctor_page, entry

entry.through_app()

doctor_page.show()
