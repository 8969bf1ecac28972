package dev.sro.plugins.nvidia;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.Reach;
import dev.sro.api.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What is deployed by a state. Immutable.
 *
 * @param id of the state
 * @param deploy end of the label of the nodes that it is for
 * @param account name of its service account
 * @param rights what the account may do
 * @param files its manifests
 */
record Operand(String id, String deploy, String account, Set<String> rights, List<String> files) {

    Operand(String id, String deploy, String account) {
        this(id, deploy, account, Set.of(), List.of());
    }

    Operand rights(String... more) {
        return new Operand(id, deploy, account, Set.of(more), files);
    }

    Operand file(String... more) {
        List<String> all = new ArrayList<>(files);
        all.addAll(List.of(more));
        return new Operand(id, deploy, account, rights, List.copyOf(all));
    }

    /** The state, as far as the operand makes it. */
    State.Builder state(Settings settings) {
        State.Builder builder = State.builder()
                .id(id)
                .reach(Reach.ownBarrier())
                .putNodes(Labels.DEPLOY + deploy, "true")
                .putAllVariables(new Variables(settings).all(account, !rights.isEmpty()));
        builder.addManifests(manifest("account.yaml"));
        if (settings.isOpenShift()) {
            builder.addManifests(manifest("openshift/account.yaml"));
        }
        boolean write = rights.contains("nodes-write");
        if (write || rights.contains("nodes-read")) {
            builder.putVariables(
                    "nodeVerbs",
                    write ? List.of("get", "list", "watch", "patch", "update") : List.of("get", "list", "watch"));
            builder.addManifests(manifest("node-rights.yaml"));
        }
        if (rights.contains("evict")) {
            builder.addManifests(manifest("evict-rights.yaml"));
        }
        if (rights.contains("pods-read")) {
            builder.addManifests(manifest("pod-rights.yaml"));
        }
        if (rights.contains("slices-read")) {
            builder.addManifests(manifest("slice-rights.yaml"));
        }
        files.forEach(file -> builder.addManifests(manifest(file)));
        return builder;
    }

    static ManifestTemplate manifest(String file) {
        return ManifestTemplate.resource(Operand.class, file);
    }
}
