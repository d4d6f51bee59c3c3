package io.skep.service.wire;

import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.hive.service.rpc.thrift.TDownloadDataReq;
import org.apache.hive.service.rpc.thrift.TDownloadDataResp;
import org.apache.hive.service.rpc.thrift.TUploadDataReq;
import org.apache.hive.service.rpc.thrift.TUploadDataResp;
import org.apache.thrift.TApplicationException;

/** The protocol's calls that are rejected as unsupported. */
abstract class UnsupportedCalls implements TCLIService.Iface {
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
