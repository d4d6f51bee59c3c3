'use strict';
const $ = id => document.getElementById(id);
const time = millis => new Date(millis).toLocaleString();
let shown = null;
let queries = [];

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function duration(millis) {
  if (millis < 1000) return millis + ' ms';
  if (millis < 60000) return (millis / 1000).toFixed(2) + ' s';
  const minutes = Math.floor(millis / 60000);
  if (minutes < 60) return minutes + ' min ' + Math.floor(millis % 60000 / 1000) + ' s';
  if (minutes < 1440) return Math.floor(minutes / 60) + ' h ' + minutes % 60 + ' min';
  return Math.floor(minutes / 1440) + ' d ' + Math.floor(minutes % 1440 / 60) + ' h';
}

function value(figure) {
  if (figure.unit === 'MICROSECONDS') return figure.value < 1000 ? figure.value + ' µs' : (figure.value / 1000).toLocaleString(undefined, { maximumFractionDigits: 1 }) + ' ms';
  if (figure.unit === 'COUNT') return figure.value.toLocaleString();
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let size = figure.value, unit = 0;
  while (size >= 1024 && unit < units.length - 1) { size /= 1024; unit++; }
  return (unit === 0 ? size : size.toFixed(1)) + ' ' + units[unit];
}

function rows(id, list, make, columns, none) {
  const made = list.map(make);
  if (!made.length && none) {
    const row = element('tr'), cell = element('td', none, 'empty');
    cell.colSpan = columns;
    row.append(cell);
    made.push(row);
  }
  $(id).replaceChildren(...made);
}

function row(...cells) {
  const made = element('tr');
  made.append(...cells);
  return made;
}

function showQueries() {
  const wanted = $('filter').value.toLowerCase();
  const fits = queries.filter(q => (q.text + ' ' + q.user + ' ' + q.state).toLowerCase().includes(wanted));
  rows('queries', fits, q => {
    const text = element('td');
    text.append(element('code', q.text));
    if (q.error) text.append(element('span', q.error, 'error'));
    const made = row(element('td', q.state, q.state), element('td', q.user), text, element('td', q.scheduler), element('td', time(q.startedMillis), 'nowrap'), element('td', duration(q.durationMillis), 'number'));
    made.tabIndex = 0;
    made.onclick = () => { shown = q.id; refresh(); };
    made.onkeydown = event => { if (event.key === 'Enter') made.onclick(); };
    return made;
  }, 6, 'No queries yet.');
}

function showCards(figures) {
  const groups = new Map();
  figures.forEach(figure => groups.set(figure.group, [...(groups.get(figure.group) || []), figure]));
  $('cards').replaceChildren(...[...groups].map(([name, list]) => {
    const card = element('div', undefined, 'card'), items = element('dl');
    list.forEach(figure => items.append(element('dt', figure.name), element('dd', value(figure))));
    card.append(element('h3', name), items);
    return card;
  }));
}

function showDetail(detail) {
  $('detail').hidden = !detail;
  if (!detail) return;
  $('detail-id').textContent = detail.query.id;
  $('detail-text').textContent = detail.query.text;
  $('detail-error').textContent = detail.query.error;
  $('detail-plan').textContent = detail.plan || 'This statement has no plan.';
  const figure = f => row(element('td', f.name), element('td', value(f), 'number'));
  rows('detail-timings', detail.timings, figure, 2);
  rows('detail-figures', detail.figures, figure, 2, 'No task ran.');
  rows('detail-fragments', detail.fragments, f => row(element('td', f.fragment), ...[f.tasks, f.running, f.finished, f.failed, f.outputRows].map(n => element('td', n.toLocaleString(), 'number'))), 6, 'No task ran.');
}

async function get(path) {
  const answer = await fetch('api/' + path);
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

async function refresh() {
  try {
    const [overview, figures, sessions, settings, now, detail] = await Promise.all([get('overview'), get('figures'), get('sessions'), get('settings'), get('queries'), shown ? get('queries/' + encodeURIComponent(shown)) : null]);
    $('overview').textContent = `version ${overview.version} · up ${duration(overview.uptimeMillis)} · ${overview.jdbcUrl} · Java ${overview.java}, ${overview.cores} cores, process ${overview.pid}`;
    $('link').textContent = '';
    showCards(figures);
    queries = now;
    showQueries();
    rows('sessions', sessions, s => row(element('td', s.user), element('td', s.address), element('td', s.database), element('td', time(s.openedMillis), 'nowrap'), element('td', time(s.lastUsedMillis), 'nowrap'), element('td', s.operations, 'number')), 6, 'No open sessions.');
    rows('settings', settings, s => row(element('td', s.name), element('td', s.value), element('td', s.source)), 3);
    showDetail(detail);
  } catch (e) {
    $('link').textContent = 'The server does not answer.';
  }
}

$('filter').oninput = showQueries;
$('detail-close').onclick = () => { shown = null; showDetail(null); };
refresh();
setInterval(() => { if (!document.hidden) refresh(); }, 2000);
