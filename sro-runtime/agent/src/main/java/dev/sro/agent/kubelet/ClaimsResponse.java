package dev.sro.agent.kubelet;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What came of each claim, by UID: {@code NodePrepareResourcesResponse} and {@code NodeUnprepareResourcesResponse}. Immutable.
 *
 * @param results of each claim that was asked for
 */
record ClaimsResponse(Map<String, ClaimResult> results) {
    private interface Writer {
        WireWriter write(ClaimResult result);
    }

    private interface Reader {
        ClaimResult read(WireReader reader) throws IOException;
    }

    WireWriter writePrepared() {
        return write(ClaimResult::writePrepared);
    }

    WireWriter writeUnprepared() {
        return write(ClaimResult::writeUnprepared);
    }

    private WireWriter write(Writer value) {
        WireWriter writer = new WireWriter();
        results.forEach((uid, result) ->
                writer.message(1, new WireWriter().string(1, uid).message(2, value.write(result))));
        return writer;
    }

    static ClaimsResponse readPrepared(WireReader reader) throws IOException {
        return read(reader, ClaimResult::readPrepared);
    }

    static ClaimsResponse readUnprepared(WireReader reader) throws IOException {
        return read(reader, ClaimResult::readUnprepared);
    }

    private static ClaimsResponse read(WireReader reader, Reader value) throws IOException {
        Map<String, ClaimResult> results = new LinkedHashMap<>();
        while (reader.next()) {
            if (reader.field() != 1) {
                reader.skip();
                continue;
            }
            WireReader entry = reader.message();
            String uid = "";
            ClaimResult result = new ClaimResult(List.of(), "");
            while (entry.next()) {
                switch (entry.field()) {
                    case 1 -> uid = entry.string();
                    case 2 -> result = value.read(entry.message());
                    default -> entry.skip();
                }
            }
            results.put(uid, result);
        }
        return new ClaimsResponse(results);
    }
}
