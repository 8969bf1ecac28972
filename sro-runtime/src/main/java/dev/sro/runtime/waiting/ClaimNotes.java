package dev.sro.runtime.waiting;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes notes onto claims and takes them away: server-side apply of one annotation, by a manager of its own. As thread-safe as the client. */
final class ClaimNotes {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimNotes.class);

    /** Owns the annotation and nothing else. */
    static final String MANAGER = "sro-slices-explainer";

    private final KubernetesClient client;

    ClaimNotes(KubernetesClient client) {
        this.client = client;
    }

    /** Whether a claim has a note that was written here: what others write is theirs. */
    static boolean has(ResourceClaim claim) {
        return WaitingNote.on(claim).isPresent()
                && claim.getMetadata().getManagedFields().stream()
                        .map(ManagedFieldsEntry::getManager)
                        .anyMatch(MANAGER::equals);
    }

    /** Has a note stand on a claim, or none; false if the server does not take it. */
    boolean write(ResourceClaim claim, Optional<String> note) {
        try {
            // With the UID, so that a claim that went and came again under its name is another one, and none is made.
            ResourceClaim written = client.resource(new ResourceClaimBuilder()
                            .withNewMetadata()
                            .withNamespace(claim.getMetadata().getNamespace())
                            .withName(claim.getMetadata().getName())
                            .withUid(claim.getMetadata().getUid())
                            .withAnnotations(note.map(text -> Map.of(WaitingNote.ANNOTATION, text))
                                    .orElse(Map.of()))
                            .endMetadata()
                            .build())
                    .patch(new PatchContext.Builder()
                            .withPatchType(PatchType.SERVER_SIDE_APPLY)
                            .withFieldManager(MANAGER)
                            .withForce(true)
                            .build());
            return WaitingNote.on(written).equals(note);
        } catch (KubernetesClientException e) {
            LOG.atDebug().log(
                    "no note on claim {}/{}: {}",
                    claim.getMetadata().getNamespace(),
                    claim.getMetadata().getName(),
                    e.getMessage());
            return false;
        }
    }
}
