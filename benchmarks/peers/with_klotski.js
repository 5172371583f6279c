// npm's klotski: its solve call, stopped at the goal or, with a goal that no block can reach, never.
// Talks to the driver as contest.py does: node with_klotski.js TASK SPAN FILE

const fs = require('fs');
const readline = require('readline');
const Klotski = require('klotski');

const [task, span, file] = process.argv.slice(2);

function game(text) {
  const rows = text.split('/').map((row) => row.split(''));
  const names = [...new Set(rows.flat())].filter((name) => name !== '.');
  const blocks = names.map((name) => {
    const cells = rows.flatMap((row, r) => row.flatMap((mark, c) => (mark === name ? [[r, c]] : [])));
    const [top, left] = cells[0];
    const [bottom, right] = cells[cells.length - 1];
    return { name, shape: [bottom - top + 1, right - left + 1], position: [top, left] };
  });
  blocks.sort((a, b) => (b.name === 'T') - (a.name === 'T'));
  return {
    blocks: blocks.map(({ shape, position }) => ({ shape, position })),
    boardSize: [rows.length, rows[0].length],
    escapePoint: task === 'klotski-all' ? [-9, -9] : [3, 1],
  };
}

const lines = fs.readFileSync(file, 'utf8').trim().split('\n').slice(1);
const few = task === 'klotski-all' ? 5 : lines.length; // as FEW in boards.py
const games = lines.slice(0, few).map((line) => game(line.split(',')[1]));

function play() {
  return games.map((one) => {
    const moves = new Klotski().solve(one);
    return moves === null ? null : moves[moves.length - 1].step;
  });
}

play();
const { version } = JSON.parse(fs.readFileSync(require.resolve('klotski/package.json')));
console.log(JSON.stringify({ version: `klotski (npm) ${version}`, runtime: process.version }));
readline.createInterface({ input: process.stdin }).on('line', () => {
  const started = process.hrtime.bigint();
  let work = 0;
  let answers = [];
  let seconds = 0;
  do {
    answers = play();
    work += games.length;
    seconds = Number(process.hrtime.bigint() - started) / 1e9;
  } while (seconds < Number(span));
  console.log(JSON.stringify({ work, seconds, answers }));
});
