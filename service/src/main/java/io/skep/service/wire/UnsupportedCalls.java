package io.skep.service.wire;

import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.hive.service.rpc.thrift.TCancelDelegationTokenReq;
import org.apache.hive.service.rpc.thrift.TCancelDelegationTokenResp;
import org.apache.hive.service.rpc.thrift.TDownloadDataReq;
import org.apache.hive.service.rpc.thrift.TDownloadDataResp;
import org.apache.hive.service.rpc.thrift.TGetDelegationTokenReq;
import org.apache.hive.service.rpc.thrift.TGetDelegationTokenResp;
import org.apache.hive.service.rpc.thrift.TRenewDelegationTokenReq;
import org.apache.hive.service.rpc.thrift.TRenewDelegationTokenResp;
import org.apache.hive.service.rpc.thrift.TUploadDataReq;
import org.apache.hive.service.rpc.thrift.TUploadDataResp;
import org.apache.thrift.TApplicationException;

/** The protocol's calls that are rejected as unsupported. */
abstract class UnsupportedCalls implements TCLIService.Iface {
    @Override
    public final TGetDelegationTokenResp GetDelegationToken(TGetDelegationTokenReq request) {
        return new TGetDelegationTokenResp(ThriftStatus.notSupported("delegation tokens"));
    }

    @Override
    public final TCancelDelegationTokenResp CancelDelegationToken(TCancelDelegationTokenReq request) {
        return new TCancelDelegationTokenResp(ThriftStatus.notSupported("delegation tokens"));
    }

    @Override
    public final TRenewDelegationTokenResp RenewDelegationToken(TRenewDelegationTokenReq request) {
        return new TRenewDelegationTokenResp(ThriftStatus.notSupported("delegation tokens"));
    }

    @Override
    public final TUploadDataResp UploadData(TUploadDataReq request) throws TApplicationException {
        throw refused("UploadData");
    }

    @Override
    public final TDownloadDataResp DownloadData(TDownloadDataReq request) throws TApplicationException {
        throw refused("DownloadData");
    }

    /** Used for answers that require a handle. */
    private static TApplicationException refused(String call) {
        return new TApplicationException(TApplicationException.UNKNOWN_METHOD, call + " is not supported");
    }
}
