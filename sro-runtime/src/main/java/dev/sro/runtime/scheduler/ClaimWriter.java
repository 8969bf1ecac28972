package dev.sro.runtime.scheduler;

import dev.sro.core.das.AllocationClaim;
import dev.sro.core.das.DasNames;
import dev.sro.core.placement.DasPlacements;
import dev.sro.core.placement.PlacedSlice;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes claims: one request for each slice, and none more unless something fails. As thread-safe as the client. */
final class ClaimWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimWriter.class);

    /** Where claims are in the API. */
    static final ResourceDefinitionContext CLAIMS = context(DasNames.CLAIM, DasNames.CLAIMS);

    /** Where inventories of nodes are in the API. */
    static final ResourceDefinitionContext NODES = context(DasNames.NODE, DasNames.NODES);

    /** Label of a claim that was written here. */
    static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    static final String MANAGER = "sro-slice-scheduler";

    private final KubernetesClient client;

    ClaimWriter(KubernetesClient client) {
        this.client = client;
    }

    private static ResourceDefinitionContext context(String kind, String plural) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(DasNames.GROUP)
                .withVersion(DasNames.VERSION)
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(true)
                .build();
    }

    /**
     * Writes all of them, or none as far as that can be known.
     *
     * @return why not; empty when all are there
     */
    Optional<String> write(List<PlacedSlice> slices) {
        List<PlacedSlice> written = new ArrayList<>();
        for (PlacedSlice slice : slices) {
            Optional<String> fault = write(slice);
            if (fault.isPresent()) {
                // What failed may be there all the same.
                written.add(slice);
                delete(written);
                return fault;
            }
            written.add(slice);
        }
        return Optional.empty();
    }

    private Optional<String> write(PlacedSlice slice) {
        GenericKubernetesResource object = DasPlacements.promise(slice).object();
        object.getMetadata().getLabels().put(MANAGED_BY, MANAGER);
        try {
            claims().resource(object).create();
            return Optional.empty();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT && isThere(slice)) {
                return Optional.empty();
            }
            return Optional.of("AllocationClaim " + slice.id() + " was not written: " + e.getMessage());
        }
    }

    /** An attempt before this one, whose answer was lost, may have written it. */
    private boolean isThere(PlacedSlice slice) {
        try {
            GenericKubernetesResource found = claims().inNamespace(slice.namespace())
                    .withName(slice.claim())
                    .get();
            return found != null
                    && found.getMetadata().getDeletionTimestamp() == null
                    && DasPlacements.slice(AllocationClaim.of(found)).equals(slice);
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Deletes claims.
     *
     * @return whether all are gone, or go
     */
    boolean delete(List<PlacedSlice> slices) {
        boolean all = true;
        for (PlacedSlice slice : slices) {
            try {
                claims().inNamespace(slice.namespace()).withName(slice.claim()).delete();
            } catch (KubernetesClientException e) {
                LOG.atWarn().log("AllocationClaim {} is not deleted yet: {}", slice.id(), e.getMessage());
                all = false;
            }
        }
        return all;
    }

    private MixedOperation<
                    GenericKubernetesResource,
                    io.fabric8.kubernetes.api.model.GenericKubernetesResourceList,
                    Resource<GenericKubernetesResource>>
            claims() {
        return client.genericKubernetesResources(CLAIMS);
    }
}
