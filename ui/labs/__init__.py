"""The labs on the page: one function a lab, grouped into files by theme."""
