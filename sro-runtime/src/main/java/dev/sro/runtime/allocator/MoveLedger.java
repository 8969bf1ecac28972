package dev.sro.runtime.allocator;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.DateTimeException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the {@link MoveBook} in an annotation of the Lease of the allocator. Each write has the version that was read for a condition, so that of two that
 * believe to lead one counts. As thread-safe as the client.
 */
final class MoveLedger {
    /** Annotation of the Lease. */
    static final String MOVES = "slices.sro.dev/moves";

    private static final Logger LOG = LoggerFactory.getLogger(MoveLedger.class);

    private final KubernetesClient client;
    private final BooleanSupplier leads;
    private final String namespace;
    private final String name;
    private volatile String told = "";

    /** What was read, and of which version. */
    record Entry(MoveBook book, String version) {}

    /**
     * One in a Lease.
     *
     * @param leads whether this may write
     */
    MoveLedger(KubernetesClient client, BooleanSupplier leads, String namespace, String name) {
        this.client = client;
        this.leads = leads;
        this.namespace = namespace;
        this.name = name;
    }

    /** What the server has now; empty if it cannot be asked, or there is no such Lease. */
    Optional<Entry> read() {
        try {
            Lease lease = client.leases().inNamespace(namespace).withName(name).get();
            return Optional.ofNullable(lease)
                    .map(found -> new Entry(
                            AllocationMarks.annotation(found, MOVES)
                                    .map(this::parse)
                                    .orElse(MoveBook.EMPTY),
                            found.getMetadata().getResourceVersion()));
        } catch (KubernetesClientException | IllegalArgumentException | DateTimeException e) {
            String why = String.valueOf(e.getMessage());
            if (!why.equals(told)) {
                told = why;
                LOG.atWarn()
                        .log(
                                "nobody is moved: metadata.annotations[{}] of Lease {}/{} cannot be read, take it away if"
                                        + " somebody wrote it by hand: {}",
                                MOVES,
                                namespace,
                                name,
                                why);
            }
            return Optional.empty();
        }
    }

    private MoveBook parse(String text) {
        return client.getKubernetesSerialization()
                .unmarshal(text, MoveBook.class)
                .checked();
    }

    /** Whether the server has it now. */
    boolean write(Entry before, MoveBook book) {
        if (!leads.getAsBoolean()) {
            return false;
        }
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("resourceVersion", before.version());
        metadata.put(
                "annotations", Map.of(MOVES, client.getKubernetesSerialization().asJson(book)));
        try {
            client.leases()
                    .inNamespace(namespace)
                    .withName(name)
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            client.getKubernetesSerialization().asJson(Map.of("metadata", metadata)));
            return true;
        } catch (KubernetesClientException e) {
            LOG.atDebug().log("moves were not written down: {}", e.getMessage());
            return false;
        }
    }
}
