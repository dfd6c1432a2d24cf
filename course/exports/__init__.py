"""Questions for a learning management system: Moodle XML, QTI 2.1 and GIFT."""

from course.exports.bank import Exported, drawn
from course.exports.gift import gift
from course.exports.moodle import moodle_xml
from course.exports.qti import qti_package

__all__ = ["Exported", "drawn", "gift", "moodle_xml", "qti_package"]
