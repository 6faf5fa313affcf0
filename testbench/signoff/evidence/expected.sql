-- What there should be, as the sources have it (expected.c). A position is the order of a page.

CREATE TEMP TABLE subject (source TEXT NOT NULL);

-- A configuration of the regression, with what it is to run at least.
CREATE TEMP TABLE configuration (
  position INTEGER, name TEXT PRIMARY KEY, params TEXT, seeds INTEGER, cycles INTEGER);

-- A choice of the architecture, value by value; what it says is with the first.
CREATE TEMP TABLE choice (position INTEGER, name TEXT, value TEXT, says TEXT);

-- A bin of a coverpoint; unreachable: why no configuration can hit it, or NULL.
CREATE TEMP TABLE bin (
  position INTEGER PRIMARY KEY, name TEXT UNIQUE, coverpoint TEXT, unreachable TEXT);
-- A bin that a configuration cannot reach.
CREATE TEMP TABLE barred (
  bin TEXT, configuration TEXT, why TEXT, PRIMARY KEY (bin, configuration)) WITHOUT ROWID;

-- docs/reference/rules.md and testbench/tests/rules/rules.txt; cells as they stand there. no_coverpoint and
-- no_property: why it has none, where something says so.
CREATE TEMP TABLE rule (
  position INTEGER, name TEXT PRIMARY KEY, section TEXT, class TEXT, mark TEXT, says TEXT,
  c TEXT, rtl TEXT, tests TEXT, defects TEXT, no_coverpoint TEXT, no_property TEXT);
-- What a rule names: kind is c, rtl, tests, defects (a pattern each) or property; the rule of a lemma
-- is '-'.
CREATE TEMP TABLE link (rule TEXT, kind TEXT, name TEXT);
CREATE INDEX temp.link_of ON link (rule, kind);

CREATE TEMP TABLE planted (position INTEGER, name TEXT PRIMARY KEY, what TEXT, is_sample INTEGER);
CREATE TEMP TABLE litmus (name TEXT PRIMARY KEY);

-- What makes an item of evidence, and how long that takes on two cores (measures.txt).
CREATE TEMP TABLE measure (position INTEGER, evidence TEXT PRIMARY KEY, command TEXT, minutes INTEGER);

-- What is outside whatever the database says (outside.txt).
CREATE TEMP TABLE outside (position INTEGER, topic TEXT, says TEXT);
