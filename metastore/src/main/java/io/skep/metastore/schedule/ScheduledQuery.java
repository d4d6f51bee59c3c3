package io.skep.metastore.schedule;

/**
 * A statement that servers run again and again.
 *
 * @param namespace servers run the scheduled queries of one namespace
 * @param name is case-sensitive, and unique in the namespace
 * @param schedule the times at which it is due, as a Quartz cron expression in the time zone of the servers
 * @param user the user whose rights the statement has, and who owns the scheduled query
 * @param statement the text of the statement
 */
public record ScheduledQuery(
        String namespace, String name, boolean enabled, String schedule, String user, String statement) {
    public ScheduledQuery withEnabled(boolean whether) {
        return new ScheduledQuery(namespace, name, whether, schedule, user, statement);
    }

    public ScheduledQuery withSchedule(String expression) {
        return new ScheduledQuery(namespace, name, enabled, expression, user, statement);
    }

    public ScheduledQuery withUser(String owner) {
        return new ScheduledQuery(namespace, name, enabled, schedule, owner, statement);
    }

    public ScheduledQuery withStatement(String text) {
        return new ScheduledQuery(namespace, name, enabled, schedule, user, text);
    }
}
