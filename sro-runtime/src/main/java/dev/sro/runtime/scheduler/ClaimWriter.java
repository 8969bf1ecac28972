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

    /** The code of an exception of the client for a request that nobody answered. */
    static final int NO_ANSWER = 0;

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

    /** What became of claims that were to be written. */
    enum Outcome {
        /** All are there. */
        WRITTEN,
        /** It is there, whoever wrote it: an attempt before this one, or this one whose answer was lost. Of one claim alone. */
        FOUND,
        /** None of them is there, or goes. */
        REFUSED,
        /** Nobody can say: some may be there, or come yet. Their places are to be kept until that is seen. */
        UNKNOWN
    }

    /**
     * How it went.
     *
     * @param fault why they are not all there; empty if they are
     */
    record Result(Outcome outcome, String fault) {}

    /**
     * Writes all of them, or none as far as that can be known. What somebody else has written under the same name is left alone.
     *
     * <p>What a watch has told is not gone by, as it may be behind: a claim that was deleted just now looks as if it were there.
     */
    Result write(List<PlacedSlice> slices) {
        List<PlacedSlice> written = new ArrayList<>();
        boolean found = false;
        for (PlacedSlice slice : slices) {
            Result result = write(slice);
            switch (result.outcome()) {
                case WRITTEN -> written.add(slice);
                case FOUND -> found = true;
                case REFUSED -> {
                    return delete(written) && !found ? result : new Result(Outcome.UNKNOWN, result.fault());
                }
                case UNKNOWN -> {
                    return result;
                }
            }
        }
        return new Result(Outcome.WRITTEN, "");
    }

    private Result write(PlacedSlice slice) {
        GenericKubernetesResource object = DasPlacements.promise(slice).object();
        object.getMetadata().getLabels().put(MANAGED_BY, MANAGER);
        try {
            claims().resource(object).create();
            return new Result(Outcome.WRITTEN, "");
        } catch (KubernetesClientException e) {
            Outcome outcome = isRefusal(e.getCode()) ? Outcome.REFUSED : look(slice, e.getCode());
            return new Result(
                    outcome,
                    outcome == Outcome.FOUND
                            ? ""
                            : "AllocationClaim " + slice.id() + " was not written: " + e.getMessage());
        }
    }

    /** Whether an answer says for certain that nothing was written. */
    private static boolean isRefusal(int code) {
        return code >= HttpURLConnection.HTTP_BAD_REQUEST
                && code < HttpURLConnection.HTTP_INTERNAL_ERROR
                && code != HttpURLConnection.HTTP_CONFLICT
                && code != HttpURLConnection.HTTP_CLIENT_TIMEOUT;
    }

    /** An attempt before this one, or this one whose answer was lost, may have written it; without an answer it may be written yet. */
    private Outcome look(PlacedSlice slice, int code) {
        try {
            GenericKubernetesResource found = claims().inNamespace(slice.namespace())
                    .withName(slice.claim())
                    .get();
            if (found == null) {
                return code == NO_ANSWER ? Outcome.UNKNOWN : Outcome.REFUSED;
            }
            return found.getMetadata().getDeletionTimestamp() == null
                            && DasPlacements.slice(AllocationClaim.of(found)).equals(slice)
                    ? Outcome.FOUND
                    : Outcome.REFUSED;
        } catch (KubernetesClientException e) {
            return Outcome.UNKNOWN;
        } catch (IllegalArgumentException e) {
            // It is none of ours.
            return Outcome.REFUSED;
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
