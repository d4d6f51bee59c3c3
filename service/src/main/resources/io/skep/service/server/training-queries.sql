SELECT account, day, sum(imps), sum(cost) FROM training WHERE day >= '2026020:n' AND day < '20260209' AND account = 17:n GROUP BY account, day;
SELECT account, day, sum(imps), sum(cost) FROM training WHERE day >= '20260202' AND day < '20260206' AND account = 40:n GROUP BY account, day;
SELECT name, count(*), sum(cost) FROM training WHERE account > 1 AND day >= '2026010:n' GROUP BY name ORDER BY name;
SELECT l.name, r.cost FROM training l JOIN training r ON l.account = r.account AND l.imps = r.imps WHERE l.name LIKE 'n:n%' LIMIT 10;
SELECT name, max(imps) FROM training t WHERE cost > (SELECT avg(cost) FROM training WHERE name <> ':n') AND EXISTS (SELECT 1 FROM training u WHERE u.account = t.account) GROUP BY name;
SELECT day, account, rank() OVER (PARTITION BY day ORDER BY imps DESC) AS place FROM training WHERE name <> ':n' ORDER BY place, day, account LIMIT 5;
SELECT CASE WHEN imps < 100 THEN 'few' ELSE ':n' END, count(DISTINCT account), avg(cost), min(substr(name, 1, 2)) FROM training GROUP BY CASE WHEN imps < 100 THEN 'few' ELSE ':n' END;
SELECT 1;
