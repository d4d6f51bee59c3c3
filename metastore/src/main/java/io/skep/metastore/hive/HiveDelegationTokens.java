package io.skep.metastore.hive;

import io.skep.metastore.privilege.DelegationTokenStore;
import java.util.List;
import java.util.Optional;
import javax.jdo.Query;
import org.apache.hadoop.hive.metastore.model.MDelegationToken;
import org.jspecify.annotations.NullUnmarked;

/** Reads and writes the tables MASTER_KEYS and DELEGATION_TOKENS, which Hive's DBTokenStore uses too. */
@NullUnmarked
final class HiveDelegationTokens implements DelegationTokenStore {
    private final StorePool stores;

    HiveDelegationTokens(StorePool stores) {
        this.stores = stores;
    }

    @Override
    public int addKey(String key) {
        return stores.write("add a key of delegation tokens", store -> store.addMasterKey(key));
    }

    @Override
    public void updateKey(int number, String key) {
        stores.write("change a key of delegation tokens", store -> {
            store.updateMasterKey(number, key);
            return true;
        });
    }

    @Override
    public void removeKey(int number) {
        stores.write("remove a key of delegation tokens", store -> store.removeMasterKey(number));
    }

    @Override
    public List<String> keys() {
        return stores.read("read the keys of delegation tokens", store -> List.of(store.getMasterKeys()));
    }

    @Override
    public boolean addToken(String identifier, String token) {
        return stores.write("add a delegation token", store -> store.addToken(identifier, token));
    }

    @Override
    public Optional<String> token(String identifier) {
        return stores.read("read a delegation token", store -> Optional.ofNullable(store.getToken(identifier)));
    }

    /** The library itself has no update. The row is locked, so a token that is being cancelled does not come back. */
    @Override
    public boolean replaceToken(String identifier, String token) {
        return stores.write("change a delegation token", store -> {
            Query<MDelegationToken> query =
                    StoreTransaction.of(store).newQuery(MDelegationToken.class, "tokenIdentifier == wanted");
            try {
                query.declareParameters("java.lang.String wanted");
                query.setSerializeRead(true);
                query.setUnique(true);
                MDelegationToken known = (MDelegationToken) query.execute(identifier);
                if (known == null) {
                    return false;
                }
                known.setTokenStr(token);
                return true;
            } finally {
                query.closeAll();
            }
        });
    }

    @Override
    public boolean removeToken(String identifier) {
        return stores.write("remove a delegation token", store -> store.removeToken(identifier));
    }

    @Override
    public List<String> identifiers() {
        return stores.read("list the delegation tokens", store -> List.copyOf(store.getAllTokenIdentifiers()));
    }
}
