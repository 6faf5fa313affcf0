// What slang reads of SystemVerilog, as a Verilog netlist that Yosys writes.
//
//   node read.mjs TEXT TOP NETLIST [OPTION OF read_slang]...
//
// Standard error gets slang's first error. Exit status: 0 success, 1 slang does not take it or knows it to be wrong.
import { readFileSync, writeFileSync } from 'node:fs';
import { runYosys } from '@yowasp/yosys';

const [text, top, netlist, ...more] = process.argv.slice(2);
const reads = ['read_slang', '--threads 1', '--ignore-assertions', '--ignore-timing', '--allow-dual-edge-ff',
  '--unroll-limit 100000', `--top ${top}`, ...more, 'text.sv'].join(' ');
const said = [];
const keep = bytes => { if (bytes) said.push(Buffer.from(bytes)); };
const options = { stdout: keep, stderr: keep, fetchProgress: () => {} };
try {
  const files = await runYosys(['-p', reads, '-p', 'bwmuxmap; write_verilog -noattr netlist.v'],
    { 'text.sv': readFileSync(text) }, options);
  writeFileSync(netlist, files['netlist.v']);
} catch (error) {
  const lines = Buffer.concat(said).toString().replace(/\x1b\[[0-9;]*m/g, '').split('\n');
  console.error(lines.find(line => /\berror:/i.test(line)) ?? String(error));
  process.exitCode = 1;
}
