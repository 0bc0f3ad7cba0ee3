# The public names, each with its module, which is loaded when one of them is used first.

from ..model.sensitivity_label import SensitivityLabel as SensitivityLabel
from .ranking import NO_CATALOGUE as NO_CATALOGUE
from .ranking import LabelRanking as LabelRanking
from .rule import LabelRule as LabelRule
