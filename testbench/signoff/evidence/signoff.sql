-- The page's contents: each view or table is a part of the page. Only evidence of the subject's
-- sources counts.

-- ---- Regression ----

CREATE TEMP TABLE runs AS SELECT run.* FROM run, subject USING (source);

CREATE TEMP TABLE configurations AS
SELECT c.name AS configuration, c.params AS params,
       count(DISTINCT r.seed) AS seeds, ifnull(sum(r.cycles), 0) AS cycles,
       ifnull(sum(r.comparisons), 0) AS comparisons, ifnull(sum(r.seconds), 0.0) AS seconds,
       ifnull(sum(r.verdict = 'diverged'), 0) AS diverged,
       ifnull(sum(r.verdict = 'crashed'), 0) AS crashed,
       CASE WHEN sum(r.verdict <> 'equivalent') > 0 THEN 'red'
            WHEN ifnull(sum(r.cycles >= c.cycles), 0) < c.seeds THEN 'missing'
            ELSE 'green' END AS state,
       CASE WHEN sum(r.verdict = 'diverged') > 0 THEN 'diverged'
            WHEN sum(r.verdict = 'crashed') > 0 THEN 'crashed'
            WHEN ifnull(sum(r.cycles >= c.cycles), 0) < c.seeds THEN 'runs are missing'
            ELSE 'equivalent' END AS verdict
FROM configuration c LEFT JOIN runs r ON r.configuration = c.name
GROUP BY c.name ORDER BY c.position;

CREATE TEMP VIEW totals AS
SELECT count(*) AS runs, ifnull(sum(cycles), 0) AS cycles,
       ifnull(sum(comparisons), 0) AS comparisons, ifnull(sum(seconds), 0.0) AS seconds FROM runs;

CREATE TEMP VIEW failures AS
SELECT configuration, seed, verdict, difference, capsule FROM runs
WHERE verdict <> 'equivalent' ORDER BY configuration, seed;

-- Each value of each choice, with the runs that used the value.
CREATE TEMP TABLE choices AS
SELECT c.name AS choice, c.value, c.says, count(DISTINCT r.configuration) AS configurations,
       ifnull(sum(r.cycles), 0) AS cycles,
       iif(count(r.seed), 'green', 'missing') AS state,
       iif(count(r.seed), 'exercised', 'never run') AS verdict
FROM choice c LEFT JOIN runs r
  ON r.verdict = 'equivalent' AND instr(' ' || r.params || ' ', ' ' || c.name || '=' || c.value || ' ')
GROUP BY c.position ORDER BY c.position;

-- ---- Functional coverage ----

-- barred: why such a hit is impossible. NULL: the hit counts.
CREATE TEMP TABLE hits AS
SELECT h.configuration, h.bin, h.hits,
       CASE WHEN c.name IS NULL THEN 'no such configuration'
            WHEN b.name IS NULL THEN 'no such bin' ELSE x.why END AS barred
FROM hit h JOIN subject USING (source)
LEFT JOIN configuration c ON c.name = h.configuration
LEFT JOIN bin b ON b.name = h.bin
LEFT JOIN barred x ON x.bin = h.bin AND x.configuration = h.configuration
WHERE h.hits > 0;

-- A hit counts only in a configuration that can reach the bin.
CREATE TEMP TABLE bins AS
SELECT b.position, b.name AS bin, b.coverpoint, b.unreachable,
       ifnull(sum(h.hits) FILTER (WHERE h.barred IS NULL), 0) AS hits,
       ifnull(sum(h.hits) FILTER (WHERE h.barred IS NOT NULL), 0) AS impossible
FROM bin b LEFT JOIN hits h ON h.bin = b.name
GROUP BY b.position;

CREATE TEMP TABLE coverpoints AS
SELECT coverpoint, rule.section AS section, count(*) AS bins, sum(unreachable IS NULL) AS reachable,
       sum(unreachable IS NULL AND hits > 0) AS hit, min(bins.position) AS position
FROM bins LEFT JOIN rule ON rule.name = coverpoint
GROUP BY coverpoint;

CREATE TEMP VIEW coverage AS
SELECT ifnull(section, 'crosses') AS part, count(*) AS coverpoints, sum(bins) AS bins,
       sum(reachable) AS reachable, sum(hit) AS hit
FROM coverpoints GROUP BY part ORDER BY section IS NULL, min(position);

-- Each hole, with the first configuration that can reach the bin.
CREATE TEMP VIEW holes AS
SELECT bin, (SELECT name FROM configuration c
             WHERE NOT EXISTS (SELECT 1 FROM barred x
                               WHERE x.bin = bins.bin AND x.configuration = c.name)
             ORDER BY c.position LIMIT 1) AS configuration
FROM bins WHERE unreachable IS NULL AND hits = 0 ORDER BY position;

-- A hit in a configuration that cannot reach the bin: either the hit or unreachable.def is wrong.
CREATE TEMP VIEW impossible AS
SELECT bin, configuration, hits, barred AS why FROM hits WHERE barred IS NOT NULL
ORDER BY bin, configuration;

CREATE TEMP VIEW unreached AS
SELECT unreachable AS why, count(*) AS bins FROM bins WHERE unreachable IS NOT NULL
GROUP BY why ORDER BY bins DESC, why;

-- The bins of crosses: no rule has a cross's name.
CREATE TEMP VIEW crosses AS
SELECT coverpoint, bin, hits, impossible, unreachable FROM bins LEFT JOIN rule ON rule.name = coverpoint
WHERE rule.name IS NULL ORDER BY bins.position;

-- ---- Coverage of the code ----

CREATE TEMP TABLE codes AS SELECT code.* FROM code, subject USING (source);
CREATE TEMP VIEW code_files AS SELECT file, metric, covered, total FROM codes ORDER BY metric, file;
CREATE TEMP VIEW code_metrics AS
SELECT iif(file GLOB 'rtl/*', 'RTL ', 'C ') || metric AS metric, sum(covered) AS covered,
       sum(total) AS total
FROM codes GROUP BY 1 ORDER BY 1;

-- ---- Mutants ----

-- How many mutants of a side must be judged. The proof of a mutant of the C model has a bound, so the
-- mutant must also survive these cycles (docs/design/mutation.md).
CREATE TEMP VIEW sides AS
SELECT column1 AS side, column2 AS least, column3 AS least_cycles
FROM (VALUES ('rtl', 100, 0), ('cmodel', 50, 1000000));

-- is_short: proved equivalent, but in too few cycles to be judged.
-- is_small: of an RTL that has no second thread, or no two pairs of counters. The name begins with
-- the size, as in 2x4.
CREATE TEMP TABLE mutants AS
SELECT mutant.*, verdict = 'equivalent' AND ifnull(cycles, 0) < least_cycles AS is_short,
       side = 'rtl' AND NOT (CAST(name AS INTEGER) >= 2
                             AND CAST(substr(name, instr(name, 'x') + 1) AS INTEGER) >= 4) AS is_small
FROM mutant JOIN subject USING (source) JOIN sides USING (side);

CREATE TEMP VIEW mutation AS
SELECT side, module, count(*) AS mutants, sum(verdict = 'killed') AS killed,
       sum(verdict = 'survived') AS survived, sum(verdict = 'equivalent') AS equivalent,
       sum(verdict = 'unusable') AS unusable, sum(seconds) AS seconds
FROM mutants GROUP BY side, module ORDER BY side DESC, module;

CREATE TEMP VIEW survivors AS
SELECT side, name, module, place, change, ifnull(reason, 'no reason given') AS reason
FROM mutants WHERE verdict = 'survived' ORDER BY side DESC, name;

CREATE TEMP VIEW equivalents AS
SELECT side, name, module, place, change, cycles, ifnull(reason, 'no reason given') AS reason
FROM mutants WHERE verdict = 'equivalent' ORDER BY side DESC, name;

-- ---- Planted defects ----

-- is_long: too long a reproducer. imports.c judges likewise (IS_RED).
CREATE TEMP TABLE planted_defects AS
SELECT p.position, p.name AS defect, p.what, p.is_sample AS is_sample, d.name IS NOT NULL AS is_tried,
       d.found, d.cycles, d.lines_before, d.lines_after, ifnull(d.lines_after > 15, 0) AS is_long, d.refuted
FROM planted p LEFT JOIN (SELECT defect.* FROM defect, subject USING (source)) d USING (name)
ORDER BY p.position;

CREATE TEMP VIEW defects AS
SELECT defect, what, found, cycles, lines_before, lines_after, refuted,
       iif(found AND NOT is_long, 'green', 'red') AS state,
       CASE WHEN NOT found THEN 'not found' WHEN is_long THEN 'shrunk too little' ELSE 'found' END AS verdict
FROM planted_defects WHERE is_tried;

-- The number of defects for each number of lines of the shrunk reproducer.
CREATE TEMP VIEW shrunk AS
SELECT lines_after AS lines, is_long, count(*) AS defects FROM planted_defects
WHERE lines_after IS NOT NULL GROUP BY lines_after ORDER BY lines_after;

-- ---- Proofs and tests ----

-- label: the part of a property's name after the last dot. properties.txt uses this label.
CREATE TEMP TABLE obligations AS
SELECT proof.*, substr(name, length(rtrim(name, replace(name, '.', ''))) + 1) AS label
FROM proof, subject USING (source);
CREATE INDEX temp.obligation_of ON obligations (theorem, label);

CREATE TEMP TABLE extents AS SELECT extent.* FROM extent, subject USING (source);

-- An obligation is a case, a place or a property. total: obligations of the full set. chosen: the
-- set that was asked.
CREATE TEMP TABLE proofs AS
SELECT theorem, size, e.chosen, count(*) AS obligations, e.total, sum(verdict = 'proved') AS proved,
       ifnull(sum(assertions), 0) AS assertions, ifnull(sum(seconds), 0.0) AS seconds
FROM obligations LEFT JOIN extents e USING (theorem, size)
GROUP BY theorem, size ORDER BY theorem, size;

CREATE TEMP VIEW unproved AS
SELECT theorem, name, size, verdict FROM obligations WHERE verdict <> 'proved'
ORDER BY theorem, size, name;

CREATE TEMP TABLE suite AS SELECT test.* FROM test, subject USING (source);

-- Every test that is registered or was run. passed is NULL if the test was not run.
CREATE TEMP TABLE all_tests AS
SELECT preset, name, r.name IS NOT NULL AS is_registered, s.passed, s.seconds
FROM (SELECT registered.* FROM registered, subject USING (source)) r
FULL JOIN suite s USING (preset, name);

CREATE TEMP VIEW tests AS
SELECT preset, count(*) AS tests, ifnull(sum(passed), 0) AS passed, sum(passed IS NULL) AS not_run,
       ifnull(sum(seconds), 0.0) AS seconds
FROM all_tests GROUP BY preset ORDER BY preset;

CREATE TEMP VIEW failed_tests AS
SELECT preset, name, iif(passed IS NULL, 'not run', 'failed') AS verdict FROM all_tests
WHERE NOT ifnull(passed, 0) ORDER BY preset, name;

-- ---- Rules ----

-- A test of all presets together: it failed if it failed in one of them, and passed if it passed in each
-- that has it. Otherwise it was not run.
CREATE TEMP TABLE test_result AS
SELECT name, CASE WHEN min(passed) = 0 THEN 0 WHEN count(passed) = count(*) THEN 1 END AS passed
FROM all_tests GROUP BY name;

-- A rule's tests are litmus files or tests of the suite. Three tests run all litmus files.
CREATE TEMP TABLE litmus_result AS
SELECT litmus.name, (SELECT CASE WHEN min(passed) = 0 THEN 0 WHEN count(passed) = 3 THEN 1 END
                     FROM test_result WHERE test_result.name GLOB 'litmus.*') AS passed
FROM litmus;

-- A test of the suite has a prefix before the name, and a suffix if the test runs on several sides.
CREATE TEMP TABLE suite_result AS
SELECT substr(name, instr(name, '.') + 1) AS name, passed FROM test_result;

-- A row for each test name of a rule that matches at least one test. run counts the tests that
-- have a result.
CREATE TEMP TABLE rule_test AS
SELECT link.rule, count(*) AS tests, count(passed) AS run, ifnull(sum(passed), 0) AS passed
FROM link JOIN litmus_result r ON r.name GLOB link.name
WHERE link.kind = 'tests' GROUP BY link.rule, link.name
UNION ALL
SELECT link.rule, count(*), count(passed), ifnull(sum(passed), 0)
FROM link JOIN suite_result r
  ON r.name GLOB link.name OR r.name GLOB link.name || '/*' OR r.name GLOB '*/' || link.name || '/*'
WHERE link.kind = 'tests' GROUP BY link.rule, link.name;

-- Mutants in the rule's C files and RTL modules.
CREATE TEMP TABLE rule_mutant AS
SELECT rule, count(*) AS mutants, sum(verdict = 'killed') AS killed FROM (
  SELECT DISTINCT link.rule, m.side, m.name, m.verdict
  FROM link JOIN mutants m
    ON (link.kind = 'rtl' AND m.side = 'rtl' AND m.module = link.name)
    OR (link.kind = 'c' AND m.side = 'cmodel'
        AND m.module IN (substr(link.name, 1, instr(link.name, ':') - 1),
                         'cmodel/src/' || substr(link.name, 1, instr(link.name, ':') - 1)))
  WHERE m.verdict IN ('killed', 'survived'))
GROUP BY rule;

-- The properties that properties.txt names, each with its assertions.
CREATE TEMP TABLE properties AS
SELECT link.rule, link.name, count(o.name) AS proofs, ifnull(sum(o.verdict = 'proved'), 0) AS proved
FROM link LEFT JOIN obligations o ON o.theorem = 'properties' AND o.label = link.name
WHERE link.kind = 'property' GROUP BY link.rule, link.name;

CREATE TEMP TABLE rule_proof AS
SELECT rule, sum(proofs) AS proofs, sum(proved) AS proved, count(*) AS properties,
       sum(proofs > 0) AS run
FROM properties GROUP BY rule;

-- The evidence that a rule of behaviour needs by its section. A written reason lifts the duty.
CREATE TEMP TABLE duty AS
SELECT name AS rule,
       class LIKE '%MUST%' AND section GLOB '[BCG][.:]*' AND no_coverpoint IS NULL AS coverpoint,
       class LIKE '%MUST%' AND section GLOB '[BCD][.:]*' AND no_property IS NULL AS property
FROM rule;

-- lacks: the missing evidence, in words.
CREATE TEMP TABLE rules AS
SELECT *, CASE state WHEN 'green' THEN 'complete' WHEN 'red' THEN 'failed' WHEN 'missing' THEN 'incomplete'
                     ELSE state END AS verdict
FROM (
SELECT *, CASE WHEN mark <> 'behaviour' THEN mark
               WHEN passed < run OR proved < proofs THEN 'red'
               WHEN lacks <> '' THEN 'missing'
               ELSE 'green' END AS state
FROM (
SELECT r.section, r.name AS rule, r.class, r.mark, r.says, r.c, r.rtl, r.tests AS test_names,
       ifnull(t.tests, 0) AS tests, ifnull(t.run, 0) AS run, ifnull(t.passed, 0) AS passed,
       ifnull(c.reachable, 0) AS reachable, ifnull(c.hit, 0) AS hit,
       ifnull(m.mutants, 0) AS mutants, ifnull(m.killed, 0) AS killed,
       ifnull(p.proofs, 0) AS proofs, ifnull(p.proved, 0) AS proved,
       ifnull(p.properties, 0) AS properties, r.no_property,
       rtrim(iif(t.run IS NULL OR t.run < t.tests
           OR t.names < (SELECT count(*) FROM link WHERE rule = r.name AND kind = 'tests'),
           'tests were not run; ', '')
       || iif(c.hit < c.reachable, 'bins were not hit; ', '')
       || iif(c.reachable = 0, 'no configuration can reach its bins; ', '')
       || iif(c.coverpoint IS NULL AND duty.coverpoint, 'no coverpoint; ', '')
       || iif(p.run < p.properties, 'properties were not asked; ', '')
       || iif(p.properties IS NULL AND duty.property, 'no property; ', ''), '; ') AS lacks
FROM rule r
LEFT JOIN duty ON duty.rule = r.name
LEFT JOIN (SELECT rule, count(*) AS names, sum(tests) AS tests, sum(run) AS run,
                  sum(passed) AS passed
           FROM rule_test GROUP BY rule) t ON t.rule = r.name
LEFT JOIN coverpoints c ON c.coverpoint = r.name
LEFT JOIN rule_mutant m ON m.rule = r.name
LEFT JOIN rule_proof p ON p.rule = r.name
ORDER BY r.position));

-- ---- Checks ----

-- Each item of evidence: its state (green, red or missing) and its summary.
CREATE TEMP TABLE checks AS
SELECT 'Lockstep regression' AS evidence,
       CASE WHEN sum(state = 'red') THEN 'red' WHEN sum(state = 'missing') OR count(*) = 0 THEN 'missing'
            ELSE 'green' END AS state,
       CASE WHEN sum(state = 'red')
            THEN sum(diverged) || ' diverged, ' || sum(crashed) || ' crashed of ' || sum(seeds) || ' runs'
            WHEN sum(state = 'missing')
            THEN sum(state = 'missing') || ' of ' || count(*) || ' configurations lack runs'
            ELSE count(*) || ' configurations equivalent' END AS says
FROM configurations
UNION ALL
SELECT 'Functional coverage',
       CASE WHEN (SELECT count(*) FROM impossible) > 0 THEN 'red'
            WHEN ifnull(sum(hit), 0) = 0 THEN 'missing'
            WHEN sum(hit) < sum(reachable) THEN 'missing' ELSE 'green' END,
       CASE WHEN (SELECT count(*) FROM impossible) > 0
            THEN (SELECT count(*) FROM impossible) || ' bins hit in configurations that cannot reach them'
            WHEN ifnull(sum(hit), 0) = 0 THEN 'no coverpoint was hit'
            ELSE sum(hit) || ' of ' || sum(reachable) || ' bins that can be reached' END
FROM coverpoints
UNION ALL
SELECT 'Coverage of the code', iif(sum(ifnull(covered, 0) > 0) = count(*), 'green', 'missing'),
       CASE WHEN count(total) = 0 THEN 'not measured'
            ELSE group_concat(metric || ' ' || printf('%.1f%%', 100.0 * covered / max(total, 1)), ', ')
                   FILTER (WHERE total IS NOT NULL)
                 || ifnull('; nothing was reached of ' || group_concat(metric, ', ')
                             FILTER (WHERE covered = 0), '')
                 || ifnull('; not measured: ' || group_concat(metric, ', ')
                             FILTER (WHERE total IS NULL), '') END
FROM (SELECT d.column1 AS metric, m.covered, m.total
      FROM (VALUES ('C branch'), ('C line'), ('RTL branch'), ('RTL line'), ('RTL toggle')) d
      LEFT JOIN code_metrics m ON m.metric = d.column1)
UNION ALL
SELECT 'Mutants of the ' || CASE side WHEN 'rtl' THEN 'RTL' ELSE 'C model' END,
       CASE WHEN survived THEN 'red' WHEN mutants < least OR NOT killed THEN 'missing' ELSE 'green' END,
       killed || ' of ' || (killed + survived) || ' killed'
       || iif(mutants < least, '; ' || least || ' mutants are required', '')
       || iif(mutants AND NOT killed, '; a campaign that kills none is no evidence', '')
FROM (SELECT s.side, s.least, ifnull(sum(m.verdict = 'killed' AND NOT m.is_small), 0) AS killed,
             ifnull(sum(m.verdict = 'survived'), 0) AS survived,
             ifnull(sum(m.verdict <> 'unusable' AND NOT m.is_short AND NOT m.is_small), 0) AS mutants
      FROM sides s LEFT JOIN mutants m ON m.side = s.side
      GROUP BY s.side)
UNION ALL
SELECT 'Planted defects',
       CASE WHEN sum(is_tried AND (NOT found OR is_long)) THEN 'red'
            WHEN sum(is_sample AND (NOT is_tried OR lines_after IS NULL)) OR count(*) = 0 THEN 'missing'
            ELSE 'green' END,
       ifnull(sum(found), 0) || ' of ' || sum(is_tried) || ' tried defects found'
       || CASE WHEN sum(is_sample AND NOT is_tried)
               THEN ', ' || sum(is_sample AND NOT is_tried) || ' of the sample not tried' ELSE '' END
       || CASE WHEN sum(is_long) THEN ', ' || sum(is_long) || ' shrunk to more than 15 lines' ELSE '' END
       || CASE WHEN sum(is_tried AND lines_after IS NULL)
               THEN ', ' || sum(is_tried AND lines_after IS NULL) || ' not shrunk'
               ELSE '' END
FROM planted_defects
UNION ALL
SELECT title,
       CASE WHEN proved < obligations THEN 'red'
            WHEN obligations = 0 OR unknown OR parts OR NOT has_size THEN 'missing'
            ELSE 'green' END,
       CASE WHEN obligations = 0 THEN 'nothing was proved'
            ELSE proved || ' of ' || obligations || ' proved'
                 || iif(parts, '; only a part of the set has an answer', '')
                 || iif(unknown, '; the full set is unknown', '')
                 || iif(NOT has_size, '; none of size 1x2', '')
                 || ifnull('; sample: ' || samples, '') END
FROM (SELECT t.column2 AS title, ifnull(sum(p.obligations), 0) AS obligations,
             ifnull(sum(p.proved), 0) AS proved,
             ifnull(sum(p.chosen IS NULL OR p.total IS NULL), 0) AS unknown,
             ifnull(sum(p.chosen = 'part'), 0) AS parts, ifnull(max(p.size = '1x2'), 0) AS has_size,
             group_concat(p.obligations || ' of ' || p.total || ' of ' || p.size, ', ')
               FILTER (WHERE p.obligations < p.total) AS samples
      FROM (VALUES ('equivalence', 'Proof: C model equals RTL'),
                   ('interference', 'Proof: non-interference')) t
      LEFT JOIN proofs p ON p.theorem = t.column1
      GROUP BY t.column1)
UNION ALL
SELECT 'Proof: RTL against the rules',
       CASE WHEN proved < obligations THEN 'red'
            WHEN obligations = 0 OR run < named OR sizes < 2 THEN 'missing' ELSE 'green' END,
       CASE WHEN obligations = 0 THEN 'nothing was proved'
            ELSE proved || ' of ' || obligations || ' assertions proved, for ' || run || ' of ' || named
                 || ' properties' || iif(sizes < 2, '; sizes 1x2 and 2x1 are required', '') END
FROM (SELECT count(*) AS obligations, ifnull(sum(verdict = 'proved'), 0) AS proved,
             count(DISTINCT CASE WHEN size IN ('1x2', '2x1') THEN size END) AS sizes,
             (SELECT count(DISTINCT name) FROM properties) AS named,
             (SELECT count(DISTINCT name) FROM properties WHERE proofs > 0) AS run
      FROM obligations WHERE theorem = 'properties')
UNION ALL
SELECT 'Tests, ' || preset,
       CASE WHEN failed THEN 'red' WHEN run = 0 OR registered = 0 OR missed THEN 'missing'
            ELSE 'green' END,
       CASE WHEN run = 0 THEN 'no test was run'
            ELSE (run - failed) || ' of ' || run || ' passed'
                 || iif(registered = 0, '; the number of registered tests is unknown', '')
                 || iif(missed, ', ' || missed || ' of ' || registered || ' were not run', '') END
FROM (SELECT p.column1 AS preset, count(t.passed) AS run, ifnull(sum(NOT t.passed), 0) AS failed,
             ifnull(sum(t.is_registered), 0) AS registered,
             ifnull(sum(t.is_registered AND t.passed IS NULL), 0) AS missed
      FROM (VALUES ('release'), ('sanitize')) p LEFT JOIN all_tests t ON t.preset = p.column1
      GROUP BY p.column1)
UNION ALL
SELECT 'Rules', CASE WHEN sum(state = 'red') THEN 'red'
                     WHEN sum(state = 'missing') OR count(*) = 0 THEN 'missing' ELSE 'green' END,
       sum(state = 'green') || ' of ' || count(*) || ' rules of behaviour have all their evidence'
FROM rules WHERE mark = 'behaviour'
UNION ALL
SELECT 'Choices', CASE WHEN sum(state = 'missing') OR count(*) = 0 THEN 'missing' ELSE 'green' END,
       sum(state = 'green') || ' of ' || count(*) || ' values exercised'
FROM choices
UNION ALL
SELECT 'Tools', iif(count(tool), 'green', 'missing'),
       iif(count(tool), 'versions of ' || count(DISTINCT tool) || ' tools',
           'no tool version is known')
FROM version, subject USING (source);

-- The commands that make what is missing, each once. An item that is red is not made better by its command.
CREATE TEMP VIEW to_do AS
SELECT command, min(minutes) AS minutes, group_concat(evidence, ', ') AS evidence
FROM (SELECT * FROM measure JOIN checks USING (evidence) WHERE state = 'missing' ORDER BY position)
GROUP BY command ORDER BY min(position);

-- Each item has its command, and each command its item.
CREATE TEMP VIEW unmade AS
SELECT evidence FROM checks WHERE evidence NOT IN (SELECT evidence FROM measure) AND evidence <> 'Rules'
UNION ALL SELECT evidence FROM measure WHERE evidence NOT IN (SELECT evidence FROM checks);

-- What was red, and is so no more: later results of the same sources passed it, or left it out. A result
-- may be read in several times, so what is still red was not done again.
CREATE TEMP VIEW replacements AS
SELECT item, name, verdict FROM replaced, subject USING (source)
WHERE (item, name) NOT IN (
  SELECT 'Lockstep regression', configuration || ', seed ' || seed FROM failures WHERE verdict = 'crashed'
  UNION ALL SELECT 'Planted defects', defect FROM defects WHERE state = 'red'
  UNION ALL SELECT 'Proof: ' || theorem, name || ', ' || size FROM unproved
  UNION ALL SELECT 'Tests, ' || preset, name FROM failed_tests WHERE verdict = 'failed')
ORDER BY item, name;

CREATE TEMP VIEW versions AS
SELECT tool, group_concat(version, ', ') AS version
FROM (SELECT * FROM version, subject USING (source) ORDER BY tool, version) GROUP BY tool ORDER BY tool;

-- Everything not verified: missing or sampled evidence, argued exceptions, replaced red results,
-- and topics outside the model.
CREATE TEMP VIEW not_verified AS
SELECT * FROM (
  SELECT evidence AS topic, says, 'missing' AS kind FROM checks WHERE state = 'missing'
  UNION ALL
  SELECT 'Choice ' || choice || ' = ' || value, 'no equivalent run used this value', 'missing'
  FROM choices WHERE state = 'missing'
  UNION ALL
  SELECT 'Planted defects',
         sum(NOT is_tried) || ' of ' || count(*) || ' were not tried on these sources', 'missing'
  FROM planted_defects HAVING sum(NOT is_tried) > 0
  UNION ALL
  SELECT 'Functional coverage', count(*) || ' bins were never hit', 'missing'
  FROM holes HAVING count(*) > 0
  UNION ALL
  SELECT 'Functional coverage', bins || ' bins cannot be reached: ' || why, 'argued' FROM unreached
  UNION ALL
  SELECT 'Proof: ' || theorem, obligations || ' of ' || total || ' of ' || size || ' were asked', 'sample'
  FROM proofs WHERE obligations < total
  UNION ALL
  SELECT 'Coverpoint of ' || name, no_coverpoint, 'argued' FROM rule WHERE no_coverpoint IS NOT NULL
  UNION ALL
  SELECT 'Property of ' || name, no_property, 'argued' FROM rule WHERE no_property IS NOT NULL
  UNION ALL
  SELECT item, count(*) || ' red results were replaced by later ones', 'replaced' FROM replacements GROUP BY item
  UNION ALL
  SELECT 'Mutants', count(*) || ' unusable mutants were not judged', 'missing'
  FROM mutants WHERE verdict = 'unusable' HAVING count(*) > 0
  UNION ALL
  SELECT 'Mutants', count(*) || ' mutants that are proved equivalent ran for less than '
                    || least_cycles || ' cycles, and do not count', 'missing'
  FROM mutants JOIN sides USING (side) WHERE is_short GROUP BY side
  UNION ALL
  SELECT 'Mutants', count(*) || ' mutants of an RTL that is smaller than 2x4 do not count', 'missing'
  FROM mutants WHERE is_small HAVING count(*) > 0
  UNION ALL
  SELECT 'Rules', count(*) || ' rules are outside the model (docs/reference/rules.md)', 'outside'
  FROM rule WHERE mark = 'outside' HAVING count(*) > 0
  UNION ALL
  SELECT topic, says, 'outside' FROM outside);
