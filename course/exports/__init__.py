"""Questions for a learning management system: Moodle XML and GIFT."""

from course.exports.bank import Exported, drawn
from course.exports.gift import gift
from course.exports.moodle import moodle_xml

__all__ = ["Exported", "drawn", "gift", "moodle_xml"]
