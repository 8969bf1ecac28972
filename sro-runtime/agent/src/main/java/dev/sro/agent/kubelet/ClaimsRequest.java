package dev.sro.agent.kubelet;

import dev.sro.agent.slice.ClaimRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code NodePrepareResourcesRequest} and {@code NodeUnprepareResourcesRequest}, which look the same. Immutable.
 *
 * @param claims all claims of a pod that need it
 */
record ClaimsRequest(List<ClaimRef> claims) {
    ClaimsRequest {
        claims = List.copyOf(claims);
    }

    WireWriter write() {
        WireWriter writer = new WireWriter();
        claims.forEach(claim -> writer.message(
                1,
                new WireWriter()
                        .string(1, claim.namespace())
                        .string(2, claim.uid())
                        .string(3, claim.name())));
        return writer;
    }

    static ClaimsRequest read(WireReader reader) throws IOException {
        List<ClaimRef> claims = new ArrayList<>();
        while (reader.next()) {
            if (reader.field() == 1) {
                claims.add(claim(reader.message()));
            } else {
                reader.skip();
            }
        }
        return new ClaimsRequest(claims);
    }

    private static ClaimRef claim(WireReader reader) throws IOException {
        String namespace = "";
        String uid = "";
        String name = "";
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> namespace = reader.string();
                case 2 -> uid = reader.string();
                case 3 -> name = reader.string();
                default -> reader.skip();
            }
        }
        return new ClaimRef(uid, namespace, name);
    }
}
