"""The one grammar that the modules of this package add their rules to."""

from recall4d.query.english.chart import Grammar

GRAMMAR = Grammar()
rule = GRAMMAR.rule
