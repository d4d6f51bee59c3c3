CREATE TABLE training (account BIGINT, name STRING, cost DECIMAL(18,4)) PARTITIONED BY (day STRING) STORED AS ORC;
INSERT INTO training PARTITION (day = '20260101') VALUES (1, 'a', 1.5), (2, 'b', 2.5), (3, NULL, 3.5);
SELECT name, count(*), sum(cost) FROM training WHERE account > 1 AND day >= '20260101' GROUP BY name ORDER BY name;
SELECT l.name, r.cost FROM training l JOIN training r ON l.account = r.account WHERE l.name LIKE 'a%' LIMIT 10;
SHOW TABLES;
DESCRIBE training;
DROP TABLE training;
