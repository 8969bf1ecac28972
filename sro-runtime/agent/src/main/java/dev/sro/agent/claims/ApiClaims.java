package dev.sro.agent.claims;

import dev.sro.agent.kubelet.Allocation;
import dev.sro.agent.kubelet.ClaimLookup;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.ClaimSource;
import dev.sro.core.slicing.input.InputDocument;
import dev.sro.core.slicing.input.InputException;
import dev.sro.core.slicing.input.InputField;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Claims of {@code resource.k8s.io/v1}, that is Kubernetes 1.34 and later, each asked for when it matters. Thread-safe.
 *
 * <p>That a claim is gone has to be said by the API server in so many words: an answer of something else on the way, or of a server that
 * does not have the API, says nothing about it.
 */
public final class ApiClaims implements ClaimLookup, ClaimSource {
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    /** Names of Kubernetes objects; anything else would lead elsewhere. */
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    private final ApiServer server;
    private final String driver;

    /** Results of other drivers are left to them. */
    public ApiClaims(ApiServer server, String driver) {
        this.server = server;
        this.driver = driver;
    }

    /** A claim as it is; {@code allocations} is empty if it has no devices. */
    private record Found(String uid, Optional<List<Allocation>> allocations) {}

    @Override
    public List<Allocation> allocations(ClaimRef claim) throws IOException {
        Found found = find(claim).orElseThrow(() -> new IOException("claim " + claim + " is gone"));
        if (!found.uid.equals(claim.uid())) {
            throw new IOException("claim " + claim + " is another one now, with the UID " + found.uid);
        }
        List<Allocation> allocations =
                found.allocations.orElseThrow(() -> new IOException("claim " + claim + " is not allocated"));
        if (allocations.isEmpty()) {
            throw new IOException("claim " + claim + " has no device of " + driver
                    + " for itself; of what it was given with adminAccess, which others may have, nothing is made");
        }
        return allocations;
    }

    @Override
    public Standing standing(ClaimRef claim) {
        try {
            boolean allocated = find(claim)
                    .filter(found -> found.uid.equals(claim.uid()))
                    .flatMap(Found::allocations)
                    .filter(allocations -> !allocations.isEmpty())
                    .isPresent();
            return allocated ? Standing.ALLOCATED : Standing.GONE;
        } catch (IOException e) {
            return Standing.UNKNOWN;
        }
    }

    private Optional<Found> find(ClaimRef claim) throws IOException {
        if (!NAME.matcher(claim.namespace()).matches()
                || !NAME.matcher(claim.name()).matches()) {
            throw new IOException("\"" + claim + "\" is no name of a claim");
        }
        HttpResponse<String> response = server.get(
                "/apis/resource.k8s.io/v1/namespaces/" + claim.namespace() + "/resourceclaims/" + claim.name());
        Map<String, InputField> fields = fields(claim, response);
        if (response.statusCode() == NOT_FOUND && isMissing(fields, claim)) {
            return Optional.empty();
        }
        if (response.statusCode() != OK) {
            throw new IOException("claim " + claim + ": the API server says " + response.statusCode() + " "
                    + Optional.ofNullable(fields.get("message"))
                            .map(InputField::text)
                            .orElse(""));
        }
        return Optional.of(new Found(text(object(fields, "metadata"), "uid"), results(fields)));
    }

    private static boolean isMissing(Map<String, InputField> status, ClaimRef claim) {
        Map<String, InputField> details = object(status, "details");
        return text(status, "kind").equals("Status")
                && text(status, "reason").equals("NotFound")
                && text(details, "kind").equals("resourceclaims")
                && text(details, "name").equals(claim.name());
    }

    private static Map<String, InputField> fields(ClaimRef claim, HttpResponse<String> response) throws IOException {
        try {
            InputField root =
                    InputDocument.parse("claim " + claim, response.body()).root();
            return root.isObject() ? root.fields() : Map.of();
        } catch (InputException e) {
            throw new IOException(
                    "claim " + claim + ": the answer with status " + response.statusCode() + " is no object", e);
        }
    }

    private Optional<List<Allocation>> results(Map<String, InputField> claim) {
        Map<String, InputField> allocation = object(object(claim, "status"), "allocation");
        if (allocation.isEmpty()) {
            return Optional.empty();
        }
        List<Allocation> allocations = new ArrayList<>();
        InputField results = object(allocation, "devices").get("results");
        for (InputField result : results == null ? List.<InputField>of() : results.list()) {
            Map<String, InputField> fields = result.fields();
            if (text(fields, "driver").equals(driver)
                    && !text(fields, "adminAccess").equals("true")) {
                allocations.add(new Allocation(text(fields, "request"), text(fields, "pool"), text(fields, "device")));
            }
        }
        return Optional.of(allocations);
    }

    private static Map<String, InputField> object(Map<String, InputField> fields, String name) {
        InputField field = fields.get(name);
        return field != null && field.isObject() ? field.fields() : Map.of();
    }

    private static String text(Map<String, InputField> fields, String name) {
        InputField field = fields.get(name);
        return field == null ? "" : field.text();
    }
}
