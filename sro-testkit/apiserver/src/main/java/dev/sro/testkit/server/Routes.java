package dev.sro.testkit.server;

import java.util.List;
import java.util.Set;

/** Which part of the server answers a request about a resource: by the type at its path, its verb and its subresource. Thread-safe. */
final class Routes {
    private final ServerParts parts;
    private final ResourceVerbs verbs;
    private final Subresources subresources;

    Routes(ServerParts parts, ResourceVerbs verbs) {
        this.parts = parts;
        this.verbs = verbs;
        this.subresources = new Subresources(parts, verbs);
    }

    /**
     * Answers a request that is no watch, and that its user may make.
     *
     * @throws ApiException if there is no such resource
     * @throws NoSuchPathException if there is no such path
     */
    ApiResponse answer(ApiRequest request, RequestPath path) {
        ResourceType type = type(request, path);
        return Deprecations.warned(type.gvr(), served(request, type, path), parts.customTypes);
    }

    /** The type at a path. Groups of custom resources answer a path that there is not with a text, built-in groups with a Status. */
    private ResourceType type(ApiRequest request, RequestPath path) {
        ResourceType type = parts.registry.find(path.gvr()).orElseThrow(() -> noSuchPath(path));
        boolean everywhere = type.namespaced() && path.namespace() == null;
        boolean lost = everywhere
                && (type.custom()
                        ? !Set.of("list", "watch").contains(Verb.derive(request, path))
                        : !path.name().isEmpty());
        if (lost || (!type.namespaced() && path.namespace() != null)) {
            throw noSuchPath(path);
        }
        if (!type.custom()
                && !path.subresource().isEmpty()
                && !type.subresources().contains(path.subresource())) {
            throw Errors.noSuchResource();
        }
        return type;
    }

    private RuntimeException noSuchPath(RequestPath path) {
        boolean builtIn = parts.registry.all().stream()
                .anyMatch(t -> !t.custom() && t.gvr().group().equals(path.gvr().group()));
        return builtIn ? Errors.noSuchResource() : new NoSuchPathException();
    }

    private ApiResponse served(ApiRequest request, ResourceType type, RequestPath path) {
        try {
            checkName(request, path);
            if (path.subresource().isEmpty()) {
                return dispatch(request, type, path);
            }
            if (!type.custom()) {
                Accepted.check(request, false);
            }
            return subresources.answer(request, type, path);
        } catch (ApiException e) {
            return ApiResponse.error(e);
        }
    }

    /** A name is a part of the path under which the server keeps an object. */
    private static void checkName(ApiRequest request, RequestPath path) {
        if (path.name().isEmpty() && !path.subresource().isEmpty()) {
            throw Errors.badRequest("name must be provided");
        }
        List<String> faults =
                path.name().isEmpty() || request.isWatch() ? List.of() : Labels.pathSegmentFaults(path.name());
        if (!faults.isEmpty()) {
            throw Errors.badRequest(
                    "Name parameter invalid: " + MetadataRules.quote(path.name()) + ": " + String.join(";", faults));
        }
    }

    private ApiResponse dispatch(ApiRequest request, ResourceType type, RequestPath path) {
        String verb = Verb.derive(request, path);
        checkVerb(request, type, path, verb);
        if (verb.equals("patch")) {
            ResourceVerbs.checkPatch(request, type);
        }
        if ((verb.equals("patch") || verb.equals("update")) && path.name().isEmpty()) {
            throw Errors.badRequest("name must be provided");
        }
        Negotiation.of(request, Negotiation.of(type));
        return switch (verb) {
            case "list" -> verbs.list(request, type, path);
            // One object is read by its path, even if a watch of it is asked for.
            case "get", "watch" -> verbs.get(request, type, path);
            case "create" ->
                type.stored() ? verbs.create(request, type, path) : subresources.review(request, type, path);
            case "update" -> verbs.update(request, type, path);
            case "patch" -> verbs.patch(request, type, path);
            case "deletecollection" -> verbs.deleteCollection(request, type, path);
            case "delete" -> verbs.delete(request, type, path);
            default -> throw Errors.methodNotAllowed();
        };
    }

    /** What a type is asked for in a way that it has not. Built-in ones have no HEAD, and are made where no name is. */
    private static void checkVerb(ApiRequest request, ResourceType type, RequestPath path, String verb) {
        if (type.custom()) {
            if (verb.isEmpty()) {
                throw Errors.notSupported(type.gvr(), verb);
            }
            return;
        }
        boolean everywhere = type.namespaced() && path.namespace() == null;
        boolean misplaced = switch (verb) {
            case "create" -> !path.name().isEmpty() || everywhere;
            case "update", "patch" -> path.name().isEmpty();
            case "deletecollection" -> everywhere;
            default -> false;
        };
        if (verb.isEmpty() || request.method().equals("HEAD") || misplaced || !type.allows(verb)) {
            throw Errors.methodNotAllowed();
        }
        Accepted.check(request, verb.equals("list"));
    }
}
