-- The evidence: what was measured of which sources. Filled by regress, mutate and the imports of
-- signoff; read by coverage and signoff.
--
-- `source` is the digest of the sources that a row speaks of (`./pmuv3 source` prints it). What speaks of other sources is kept, and
-- is not evidence for these.
--
-- `digest` is that of the row's values (row_digest.h): whoever reads sees by it what is damaged. A database
-- whose tables are not written exactly as here is not used.

-- The tools that made the programs that measured. After an upgrade a tool has several versions.
CREATE TABLE version (
  source TEXT NOT NULL, tool TEXT NOT NULL, version TEXT NOT NULL,
  digest INTEGER AS (row_digest('version', source, tool, version)) STORED,
  PRIMARY KEY (source, tool, version)) WITHOUT ROWID;

-- A co-simulation: one configuration, one seed. A seed has one verdict, and beside it the crash of a longer
-- run.
CREATE TABLE run (
  source TEXT NOT NULL, configuration TEXT NOT NULL, seed INTEGER NOT NULL,
  params TEXT NOT NULL,          -- as `run --param` takes them
  cycles INTEGER NOT NULL, comparisons INTEGER NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('equivalent', 'diverged', 'crashed')),
  difference TEXT,               -- the first one, when it diverged
  capsule TEXT,                  -- folder of the failure capsule
  stimulus TEXT,                 -- of a device: the digest of the stimulus in it
  seconds REAL NOT NULL,
  digest INTEGER AS (row_digest('run', source, configuration, seed, params, cycles, comparisons,
    verdict, difference, capsule, stimulus, seconds)) STORED,
  PRIMARY KEY (source, configuration, seed, verdict)) WITHOUT ROWID;

-- Functional coverage, merged: how often a bin was seen in a configuration. `check` has what a device reached in
-- a mode and with a seed.
CREATE TABLE hit (
  source TEXT NOT NULL, configuration TEXT NOT NULL,
  bin TEXT NOT NULL,             -- coverpoint.bin
  hits INTEGER NOT NULL,
  digest INTEGER AS (row_digest('hit', source, configuration, bin, hits)) STORED,
  PRIMARY KEY (source, configuration, bin)) WITHOUT ROWID;

-- What a run added to the hits of its configuration: an object of counts by bins.
CREATE TABLE run_hits (
  source TEXT NOT NULL, configuration TEXT NOT NULL, seed INTEGER NOT NULL,
  hits TEXT NOT NULL,
  digest INTEGER AS (row_digest('run_hits', source, configuration, seed, hits)) STORED,
  PRIMARY KEY (source, configuration, seed)) WITHOUT ROWID;

-- Coverage of the code: one row a file and metric (line, toggle, branch).
CREATE TABLE code (
  source TEXT NOT NULL, file TEXT NOT NULL, metric TEXT NOT NULL,
  covered INTEGER NOT NULL, total INTEGER NOT NULL,
  digest INTEGER AS (row_digest('code', source, file, metric, covered, total)) STORED,
  PRIMARY KEY (source, file, metric)) WITHOUT ROWID;

-- A mutant, and what became of it.
CREATE TABLE mutant (
  source TEXT NOT NULL, side TEXT NOT NULL CHECK (side IN ('rtl', 'cmodel')), name TEXT NOT NULL,
  module TEXT NOT NULL,          -- RTL module or C file
  place TEXT NOT NULL,           -- file:line, where it is known
  change TEXT NOT NULL,          -- what it does, readable
  verdict TEXT NOT NULL CHECK (verdict IN ('killed', 'survived', 'equivalent', 'unusable')),
  reason TEXT,                   -- what killed it, why it is equivalent (proof and bound), why it survives
  cycles INTEGER, seconds REAL NOT NULL,
  digest INTEGER AS (row_digest('mutant', source, side, name, module, place, change, verdict,
    reason, cycles, seconds)) STORED,
  PRIMARY KEY (source, side, name)) WITHOUT ROWID;

-- A planted defect (docs/design/defects.md): found by, and shrunk to.
CREATE TABLE defect (
  source TEXT NOT NULL, name TEXT NOT NULL, found INTEGER NOT NULL, cycles INTEGER,
  lines_before INTEGER, lines_after INTEGER, refuted TEXT, seconds REAL,
  digest INTEGER AS (row_digest('defect', source, name, found, cycles, lines_before,
    lines_after, refuted, seconds)) STORED,
  PRIMARY KEY (source, name)) WITHOUT ROWID;

-- A proof: an obligation or a group of them.
CREATE TABLE proof (
  source TEXT NOT NULL, theorem TEXT NOT NULL, name TEXT NOT NULL, size TEXT NOT NULL,
  verdict TEXT NOT NULL, assertions INTEGER, seconds REAL,
  digest INTEGER AS (row_digest('proof', source, theorem, name, size, verdict, assertions,
    seconds)) STORED,
  PRIMARY KEY (source, theorem, name, size)) WITHOUT ROWID;

-- Of what a theorem was proved in a size: chosen is the set of cases or places (ci, standard, large, all), or
-- 'part' where only some of them were asked; total: how many the whole has.
CREATE TABLE extent (
  source TEXT NOT NULL, theorem TEXT NOT NULL, size TEXT NOT NULL,
  chosen TEXT, total INTEGER,
  digest INTEGER AS (row_digest('extent', source, theorem, size, chosen, total)) STORED,
  PRIMARY KEY (source, theorem, size)) WITHOUT ROWID;

-- A result that was read in: found again, it does not take the place of a later one.
CREATE TABLE taken (
  source TEXT NOT NULL, theorem TEXT NOT NULL, result INTEGER NOT NULL, -- the digest of the file's text
  digest INTEGER AS (row_digest('taken', source, theorem, result)) STORED,
  PRIMARY KEY (source, theorem, result)) WITHOUT ROWID;

-- A test of the suite (from JUnit).
CREATE TABLE test (
  source TEXT NOT NULL, preset TEXT NOT NULL, name TEXT NOT NULL, passed INTEGER NOT NULL, seconds REAL,
  digest INTEGER AS (row_digest('test', source, preset, name, passed, seconds)) STORED,
  PRIMARY KEY (source, preset, name)) WITHOUT ROWID;

-- A test that there is, whether it was run or not.
CREATE TABLE registered (
  source TEXT NOT NULL, preset TEXT NOT NULL, name TEXT NOT NULL,
  digest INTEGER AS (row_digest('registered', source, preset, name)) STORED,
  PRIMARY KEY (source, preset, name)) WITHOUT ROWID;

-- What was red when another result of the same sources was read in, with its first red verdict.
CREATE TABLE replaced (
  source TEXT NOT NULL, item TEXT NOT NULL, name TEXT NOT NULL, verdict TEXT NOT NULL,
  digest INTEGER AS (row_digest('replaced', source, item, name, verdict)) STORED,
  PRIMARY KEY (source, item, name)) WITHOUT ROWID;
