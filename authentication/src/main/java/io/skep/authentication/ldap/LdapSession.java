package io.skep.authentication.ldap;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.naming.CommunicationException;
import javax.naming.InsufficientResourcesException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.ServiceUnavailableException;
import javax.naming.TimeLimitExceededException;
import javax.naming.directory.Attribute;
import javax.naming.directory.DirContext;
import javax.naming.directory.SearchControls;
import javax.naming.directory.SearchResult;
import javax.naming.ldap.LdapName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection to a directory, with the rights of an entry. Used by one thread. */
final class LdapSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LdapSession.class);

    /** A number of results that only a wrong query exceeds. */
    private static final int MAX_TEXTS = 1_000_000;

    private final DirContext context;
    private final Deadline deadline;

    LdapSession(DirContext context, Deadline deadline) {
        this.context = context;
        this.deadline = deadline;
    }

    /**
     * Returns the entries below a base that a filter finds. A base that does not exist, that is closed to the user of
     * this session, or that cannot be searched with this filter has none.
     *
     * @param limit maximum number of entries; 0: none
     * @param attribute whose values are returned with the entries
     * @throws NamingException when there are more entries, or the directory does not answer
     */
    @SuppressWarnings("BanJNDI") // entries do not become objects: their returning flag is off
    List<LdapEntry> search(String base, String filter, int limit, Optional<String> attribute) throws NamingException {
        SearchControls controls = new SearchControls();
        controls.setSearchScope(SearchControls.SUBTREE_SCOPE);
        controls.setReturningObjFlag(false);
        controls.setCountLimit(limit);
        controls.setReturningAttributes(attribute.stream().toArray(String[]::new));
        controls.setTimeLimit(Math.toIntExact(deadline.left().toMillis()));
        NamingEnumeration<SearchResult> results;
        try {
            results = context.search(new LdapName(base), filter, controls);
        } catch (NamingException e) {
            if (isOfTheServer(e)) {
                throw e;
            }
            LOG.debug("no entries below '{}' for {}: {}", base, filter, e.getMessage());
            return List.of();
        }
        try {
            return entries(results, attribute);
        } finally {
            results.close();
        }
    }

    private List<LdapEntry> entries(NamingEnumeration<SearchResult> results, Optional<String> attribute)
            throws NamingException {
        List<LdapEntry> entries = new ArrayList<>();
        int texts = 0;
        while (results.hasMore()) {
            deadline.left();
            SearchResult result = results.next();
            List<String> values = attribute.isPresent() ? values(result) : List.of();
            entries.add(new LdapEntry(result.getNameInNamespace(), values));
            texts += 1 + values.size();
            if (texts > MAX_TEXTS) {
                throw new InsufficientResourcesException("a query of the settings finds more than " + MAX_TEXTS);
            }
        }
        return entries;
    }

    private static List<String> values(SearchResult result) throws NamingException {
        List<String> values = new ArrayList<>();
        NamingEnumeration<? extends Attribute> attributes =
                result.getAttributes().getAll();
        while (attributes.hasMore()) {
            NamingEnumeration<?> all = attributes.next().getAll();
            while (all.hasMore()) {
                values.add(String.valueOf(all.next()));
            }
        }
        return values;
    }

    /**
     * Whether a failure is that of the server or the way to it, and not its answer. JNDI reports an answer that does
     * not come in time as a plain NamingException.
     */
    static boolean isOfTheServer(NamingException failure) {
        return failure instanceof CommunicationException
                || failure instanceof ServiceUnavailableException
                || failure instanceof TimeLimitExceededException
                || failure.getClass() == NamingException.class;
    }

    @Override
    public void close() {
        try {
            context.close();
        } catch (NamingException e) {
            LOG.debug("closing a connection to a directory failed", e);
        }
    }
}
