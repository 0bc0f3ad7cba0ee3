"""The units behind a number, and the names of months, in English, German, French and Spanish."""

from __future__ import annotations

from typing import Final

_UNITS: Final = {
    "%": "% percent prozent percentage percentages prozentpunkte prozentpunkten",
    "s": "second seconds sekunde sekunden seconde secondes segundo segundos",
    "min": "min minute minutes minuten minuto minutos",
    "h": "h hour hours hr hrs stunde stunden std heure heures hora horas",
    "d": "day days tag tage tagen jour jours día días dia dias",
    "w": "week weeks woche wochen semaine semaines semana semanas",
    "mo": "month months monat monate monaten mois mes meses",
    "y": "year years jahr jahre jahren an ans année années año años",
    "km": "km kilometer kilometers kilometre kilometres kilometern kilomètre kilomètres kilómetro kilómetros",
    "m": "m meter meters metre metres metern mètre mètres metro metros",
    "cm": "cm centimeter centimeters centimetre centimetres zentimeter zentimetern centimètre centimètres"
    " centímetro centímetros",
    "mm": "mm millimeter millimeters millimetre millimetres millimetern millimètre millimètres milímetro"
    " milímetros",
    "mi": "mile miles meile meilen",
    "ft": "ft foot feet",
    "in": "inch inches zoll",
    "kg": "kg kilogram kilograms kilogramm kilo kilos kilogramme kilogrammes kilogramo kilogramos",
    "g": "g gram grams gramm gramme grammes gramo gramos",
    "mg": "mg milligram milligrams milligramm milligramme milligrammes miligramo miligramos",
    "t": "tonne tonnes ton tons tonnen tonelada toneladas",
    "l": "l liter liters litre litres litern litro litros",
    "ml": "ml milliliter milliliters millilitre millilitres mililitro mililitros",
    "kb": "kb kilobyte kilobytes",
    "mb": "mb megabyte megabytes mo mégaoctets",
    "gb": "gb gigabyte gigabytes go gigaoctets",
    "tb": "tb terabyte terabytes to",
    "EUR": "€ eur euro euros",
    "USD": "$ us$ usd dollar dollars dólar dólares",
    "GBP": "£ gbp",
    "CHF": "chf franken",
    "JPY": "¥ jpy yen",
}
UNITS: Final = {word: unit for unit, words in _UNITS.items() for word in words.split()}
"""The unit of a word in lower case."""
CURRENCIES: Final = r"US\$|\$|€|£|¥|USD|EUR|GBP|CHF|JPY"
"""The form of a currency in front of a number."""

_MONTHS: Final = (
    "january jan januar janvier janv enero ene",
    "february feb februar février févr fév febrero",
    "march mar märz mär mrz mars marzo",
    "april apr avril avr abril abr",
    "may mai mayo",
    "june jun juni juin junio",
    "july jul juli juillet juil julio",
    "august aug août agosto ago",
    "september sep sept septembre septiembre",
    "october oct oktober okt octobre octubre",
    "november nov novembre noviembre",
    "december dec dezember dez décembre déc diciembre dic",
)
MONTHS: Final = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
"""The number of a month's name or abbreviation in lower case."""

SCALES: Final = {
    "thousand": (1e3,), "tausend": (1e3,), "tsd": (1e3,), "mille": (1e3,), "mil": (1e3,), "k": (1e3,),
    "million": (1e6,), "millions": (1e6,), "millionen": (1e6,), "mio": (1e6,), "mn": (1e6,), "m": (1e6,),
    "millón": (1e6,), "millones": (1e6,),
    "milliard": (1e9,), "milliards": (1e9,), "milliarde": (1e9,), "milliarden": (1e9,), "mrd": (1e9,),
    "md": (1e9,), "mds": (1e9,), "bn": (1e9,), "b": (1e9,),
    "billion": (1e9, 1e12), "billions": (1e9, 1e12), "billionen": (1e12,), "billón": (1e12,),
    "billones": (1e12,), "trillion": (1e12, 1e18), "hundred": (1e2,), "lakh": (1e5,), "crore": (1e7,),
    "mil millones": (1e9,),
}  # fmt: skip
"""What a word behind digits multiplies by; ``billion`` is more in German and French than in English."""
SHORT_SCALES: Final = frozenset({"k", "m", "b", "md"})
"""Those that are something else without a currency."""
