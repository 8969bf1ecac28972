package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.schema.FieldError;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The subresource {@code log} of pods, as a kubelet answers it: without following, and with no other stream than both. */
final class PodLogs {
    private final ServerParts parts;

    PodLogs(ServerParts parts) {
        this.parts = parts;
    }

    ApiResponse read(ApiRequest request, RequestPath path) {
        if (!request.method().equals("GET")) {
            throw Errors.methodNotAllowed();
        }
        JsonNode pod = parts.store
                .locked(() -> parts.reader.get(
                        parts.registry.find(Gvr.PODS).orElseThrow(), path.namespace(), path.name(), null))
                .object();
        check(request, path.name());
        String container = container(pod, request.param("container"));
        if (Json.text(pod, "spec", "nodeName").isEmpty()) {
            return new ApiResponse(204, "", Map.of(), new byte[0]);
        }
        refuseWaiting(pod, container);
        byte[] log = parts.printers.stream()
                .map(printer -> printer.podLog(pod, container))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse("")
                .getBytes(StandardCharsets.UTF_8);
        byte[] tail = lastLines(log, number(request, "tailLines", Long.MAX_VALUE));
        int length = (int) Math.min(tail.length, number(request, "limitBytes", Long.MAX_VALUE));
        return ApiResponse.text(200, new String(tail, 0, length, StandardCharsets.UTF_8));
    }

    private static void check(ApiRequest request, String pod) {
        List<FieldError> errors = new ArrayList<>();
        if (number(request, "tailLines", 0) < 0) {
            errors.add(MetadataRules.invalid(
                    "tailLines", String.valueOf(request.param("tailLines")), "must be greater than or equal to 0"));
        }
        for (String field : List.of("limitBytes", "sinceSeconds")) {
            if (number(request, field, 1) < 1) {
                errors.add(
                        MetadataRules.invalid(field, String.valueOf(request.param(field)), "must be greater than 0"));
            }
        }
        if (request.param("stream") != null) {
            errors.add(FieldError.forbidden("stream", "may not be specified"));
        }
        if (!errors.isEmpty()) {
            throw Errors.invalid("", "PodLogOptions", pod, errors);
        }
    }

    private static long number(ApiRequest request, String parameter, long otherwise) {
        String value = request.param(parameter);
        if (value == null) {
            return otherwise;
        }
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw Errors.badRequest(parameter + ": \"" + value + "\" is not a number");
        }
    }

    /** The container that is named, or the only one. */
    private static String container(JsonNode pod, @Nullable String named) {
        JsonNode containers = pod.path("spec").path("containers");
        StringBuilder names = new StringBuilder();
        for (JsonNode c : containers) {
            String name = Json.text(c, "name");
            if (name.equals(named) || (named == null && containers.size() == 1)) {
                return name;
            }
            names.append(names.isEmpty() ? "" : " ").append(name);
        }
        throw Errors.badRequest(
                named == null
                        ? "a container name must be specified for pod " + Json.name(pod) + ", choose one of: [" + names
                                + "]"
                        : "container " + named + " is not valid for pod " + Json.name(pod));
    }

    private static void refuseWaiting(JsonNode pod, String container) {
        for (JsonNode status : pod.path("status").path("containerStatuses")) {
            JsonNode waiting = status.path("state").path("waiting");
            if (Json.text(status, "name").equals(container) && !waiting.isMissingNode()) {
                throw Errors.badRequest("container \"" + container + "\" in pod \"" + Json.name(pod)
                        + "\" is waiting to start: " + Json.text(waiting, "reason"));
            }
        }
    }

    private static byte[] lastLines(byte[] log, long lines) {
        int at = log.length;
        long found = 0;
        while (at > 0 && found <= lines) {
            at--;
            // The line break at the very end ends the last line, and begins none.
            found += log[at] == '\n' && at < log.length - 1 ? 1 : 0;
            if (found == lines) {
                return Arrays.copyOfRange(log, at + 1, log.length);
            }
        }
        return log;
    }
}
