package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Discovery documents and the other paths beside resources. */
final class Discovery {
    private static final List<String> GROUP_ORDER = List.of(
            "apiregistration.k8s.io",
            "apps",
            "events.k8s.io",
            "authentication.k8s.io",
            "authorization.k8s.io",
            "autoscaling",
            "batch",
            "certificates.k8s.io",
            "networking.k8s.io",
            "policy",
            "rbac.authorization.k8s.io",
            "storage.k8s.io",
            "admissionregistration.k8s.io",
            "apiextensions.k8s.io",
            "scheduling.k8s.io",
            "coordination.k8s.io",
            "node.k8s.io",
            "discovery.k8s.io",
            "resource.k8s.io",
            "flowcontrol.apiserver.k8s.io");
    private static final List<String> HEALTH = List.of(
            "/healthz",
            "/healthz/etcd",
            "/healthz/ping",
            "/livez",
            "/livez/etcd",
            "/livez/ping",
            "/livez/poststarthook/crd-informer-synced",
            "/readyz",
            "/readyz/etcd",
            "/readyz/ping",
            "/readyz/poststarthook/crd-informer-synced");
    private static final String OPEN_API = "/openapi/v3/";
    private static final String NOT_FOUND = "404 page not found\n";

    private final ResourceRegistry registry;
    private final OpenApi openApi;

    Discovery(ResourceRegistry registry) {
        this.registry = registry;
        this.openApi = new OpenApi(registry);
    }

    ApiResponse answer(ApiRequest request) {
        String path = request.path();
        String plain = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        if (plain.startsWith("/apis/")) {
            return underApis(request, plain.substring("/apis/".length()));
        }
        if (HEALTH.contains(plain)) {
            return ApiResponse.text(200, "ok");
        }
        return switch (plain) {
            case "/api", "/apis" -> root(request, plain);
            case "/api/v1" -> resources(request, "", "v1");
            case "/version" -> {
                ApiResponse version = only(request, version());
                Accepted.checkJson(request);
                yield version;
            }
            case "/" -> only(request, paths());
            case "/openapi/v3" -> only(request, openApi.index());
            default -> {
                if (plain.startsWith("/api/")) {
                    throw Errors.noSuchResource();
                }
                if (plain.startsWith(OPEN_API)) {
                    ObjectNode document = openApi.document(plain.substring(OPEN_API.length()));
                    yield document == null ? new ApiResponse(404, "", Map.of(), new byte[0]) : only(request, document);
                }
                yield ApiResponse.text(404, NOT_FOUND);
            }
        };
    }

    private static ApiResponse only(ApiRequest request, ObjectNode document) {
        if (!request.method().equals("GET")) {
            throw Errors.methodNotAllowed();
        }
        return ApiResponse.json(200, document);
    }

    /** The two roots, each as one document of all that is below it where that is asked for. */
    private ApiResponse root(ApiRequest request, String path) {
        boolean core = path.equals("/api");
        if (core) {
            if (!request.method().equals("GET")) {
                throw Errors.methodNotAllowed();
            }
            Accepted.check(request, false);
        }
        // With a slash behind it, the one of groups is in the other form alone.
        boolean whole = core || request.path().equals(path);
        if (whole && Negotiation.choose(request.accept(), Negotiation.ROOT).isPresent()) {
            ObjectNode all = AggregatedDiscovery.of(
                    core ? List.of("") : List.copyOf(groupList().keySet()), registry.all());
            return new ApiResponse(200, AggregatedDiscovery.CONTENT_TYPE, Map.of(), Json.bytes(all));
        }
        Negotiation.of(request, Negotiation.PLAIN);
        return ApiResponse.json(200, core ? coreVersions() : groups());
    }

    private ObjectNode paths() {
        ObjectNode root = Json.object();
        ArrayNode paths = root.putArray("paths").add("/api").add("/api/v1").add("/apis");
        groupList().keySet().forEach(g -> paths.add("/apis/" + g));
        HEALTH.forEach(paths::add);
        paths.add("/version");
        return root;
    }

    private ApiResponse underApis(ApiRequest request, String path) {
        String[] parts = path.split("/", -1);
        if (parts.length == 1) {
            ObjectNode group = groupList().get(parts[0]);
            if (group == null) {
                throw new NoSuchPathException();
            }
            Negotiation.of(request, Negotiation.PLAIN);
            ObjectNode document = Json.object().put("kind", "APIGroup").put("apiVersion", "v1");
            document.setAll(group);
            return ApiResponse.json(200, document);
        }
        if (parts.length == 2) {
            return resources(request, parts[0], parts[1]);
        }
        throw noSuchPath(parts[0]);
    }

    /** A built-in group answers with a Status where others have only a text. */
    private RuntimeException noSuchPath(String group) {
        boolean builtIn = registry.all().stream()
                .anyMatch(t -> !t.custom() && t.gvr().group().equals(group));
        return builtIn ? Errors.noSuchResource() : new NoSuchPathException();
    }

    private static ObjectNode coreVersions() {
        ObjectNode versions = Json.object().put("kind", "APIVersions");
        versions.putArray("versions").add("v1");
        versions.putArray("serverAddressByClientCIDRs")
                .addObject()
                .put("clientCIDR", "0.0.0.0/0")
                .put("serverAddress", "127.0.0.1:443");
        return versions;
    }

    private static ObjectNode version() {
        return Json.object()
                .put("major", "1")
                .put("minor", "36")
                .put("emulationMajor", "1")
                .put("emulationMinor", "36")
                .put("minCompatibilityMajor", "1")
                .put("minCompatibilityMinor", "35")
                .put("gitVersion", "v1.36.2")
                .put("gitCommit", "")
                .put("gitTreeState", "clean")
                .put("buildDate", "1970-01-01T00:00:00Z")
                .put("goVersion", "none")
                .put("compiler", "javac")
                .put("platform", "linux/amd64");
    }

    private ObjectNode groups() {
        ObjectNode list = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = list.putArray("groups");
        groupList().values().forEach(groups::add);
        return list;
    }

    /** The groups by name: the built-in ones in their fixed order, then all others sorted. */
    private Map<String, ObjectNode> groupList() {
        Map<String, List<String>> versions = new TreeMap<>();
        for (ResourceType type : registry.all()) {
            List<String> known = versions.computeIfAbsent(type.gvr().group(), g -> new ArrayList<>());
            if (!known.contains(type.gvr().version())) {
                known.add(type.gvr().version());
            }
        }
        versions.remove("");
        Map<String, ObjectNode> groups = new LinkedHashMap<>();
        for (String name : GROUP_ORDER) {
            List<String> known = versions.remove(name);
            if (known != null) {
                groups.put(name, group(name, known));
            }
        }
        versions.forEach((name, known) -> groups.put(name, group(name, known)));
        return groups;
    }

    private static ObjectNode group(String name, List<String> versions) {
        versions.sort((a, b) -> VersionOrder.compare(b, a));
        ObjectNode group = Json.object().put("name", name);
        ArrayNode array = group.putArray("versions");
        for (String version : versions) {
            array.addObject().put("groupVersion", name + "/" + version).put("version", version);
        }
        group.putObject("preferredVersion")
                .put("groupVersion", name + "/" + versions.get(0))
                .put("version", versions.get(0));
        return group;
    }

    private ApiResponse resources(ApiRequest request, String group, String version) {
        Collection<ResourceType> types = registry.all().stream()
                .filter(t -> t.gvr().group().equals(group) && t.gvr().version().equals(version))
                .toList();
        if (types.isEmpty()) {
            throw noSuchPath(group);
        }
        if (types.stream().anyMatch(type -> !type.custom())) {
            if (!request.method().equals("GET")) {
                throw Errors.methodNotAllowed();
            }
            Accepted.check(request, false);
        }
        Negotiation.of(request, Negotiation.PLAIN);
        ObjectNode list = Json.object().put("kind", "APIResourceList");
        if (!group.isEmpty()) {
            list.put("apiVersion", "v1");
        }
        list.put("groupVersion", group.isEmpty() ? version : group + "/" + version);
        ArrayNode resources = list.putArray("resources");
        for (ResourceType type : types) {
            resources.add(DiscoveryEntries.type(type));
            type.subresources().forEach(s -> resources.add(DiscoveryEntries.subresource(type, s)));
        }
        return ApiResponse.json(200, list);
    }
}
