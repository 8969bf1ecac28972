package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Random;

/** Random requests that change nothing: of discovery, objects, lists and tables, with and without mistakes. */
final class RandomReads {
    private static final List<String> NAMES = List.of("n0", "n1", "n2", "n3", "n4", "none", "Bad_Name", "a..b");
    private static final List<String> CORE =
            List.of("configmaps", "pods", "secrets", "services", "serviceaccounts", "events", "replicationcontrollers");
    private static final List<String> GROUPED = List.of(
            "apps/v1/deployments",
            "apps/v1/daemonsets",
            "apps/v1/replicasets",
            "batch/v1/jobs",
            "coordination.k8s.io/v1/leases",
            "events.k8s.io/v1/events",
            "resource.k8s.io/v1/resourceclaims",
            "reads.example.com/v1/things",
            "reads.example.com/v2/things");
    private static final List<String> CLUSTER = List.of(
            "/api/v1/nodes",
            "/api/v1/namespaces",
            "/apis/rbac.authorization.k8s.io/v1/clusterroles",
            "/apis/storage.k8s.io/v1/storageclasses",
            "/apis/scheduling.k8s.io/v1/priorityclasses",
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
            "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
            "/apis/resource.k8s.io/v1/resourceslices",
            "/apis/certificates.k8s.io/v1/certificatesigningrequests",
            "/apis/reads.example.com/v1/wholes");
    private static final List<String> DISCOVERY = List.of(
            "/api",
            "/api/",
            "/apis",
            "/apis/",
            "/api/v1",
            "/api/v1/",
            "/api/v2",
            "/api/v1/things",
            "/apis/apps",
            "/apis/apps/",
            "/apis/apps/v1",
            "/apis/apps/v1/",
            "/apis/apps/v2",
            "/apis/apps/v1/things",
            "/apis/batch",
            "/apis/batch/v1",
            "/apis/coordination.k8s.io/v1",
            "/apis/rbac.authorization.k8s.io/v1",
            "/apis/resource.k8s.io",
            "/apis/resource.k8s.io/v1",
            "/apis/reads.example.com",
            "/apis/reads.example.com/",
            "/apis/reads.example.com/v1",
            "/apis/reads.example.com/v2",
            "/apis/reads.example.com/v3",
            "/apis/reads.example.com/v1/nothing",
            "/apis/none.example.com",
            "/apis/none.example.com/v1",
            "/apis/none.example.com/v1/things",
            "/apis/none.example.com/v1/namespaces/reads-a/things/x",
            "/version",
            "/version/",
            "/healthz",
            "/healthz/ping",
            "/healthz/nothing",
            "/livez",
            "/livez/ping",
            "/livez?exclude=etcd",
            "/readyz",
            "/readyz/ping",
            "/nothing",
            "/nothing/at/all",
            "/apis/apps/v1/namespaces",
            "/api/v1/namespaces/reads-a/things",
            "/api/v1/namespaces//configmaps",
            "/api/v1//configmaps",
            "/api/v1/namespaces/reads-a/nodes",
            "/api/v1/namespaces/reads-a/nodes/n0",
            "/api/v1/configmaps/n0",
            "/api/v1/namespaces/reads-a/configmaps/n0/status",
            "/api/v1/namespaces/reads-a/configmaps/n0/a/b",
            "/api/v1/namespaces/reads-a/pods/n0/nothing",
            "/api/v1/watch/configmaps/n0/x/y",
            "/openapi",
            "/openapi/v3/apis/nothing/v1",
            "/swagger.json");
    static final List<String> ACCEPTS = List.of(
            "application/json",
            "*/*",
            "application/*",
            "application/yaml",
            "text/html",
            "text/plain",
            "",
            "application/json;q=0.5, application/yaml",
            "application/yaml, application/json;q=0.2",
            "text/html, */*;q=0.1",
            "application/json;as=Table;v=v1;g=meta.k8s.io",
            "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
            "application/json;as=Table;v=v1beta1;g=meta.k8s.io, application/json",
            "application/json;as=Table;v=v9;g=meta.k8s.io",
            "application/json;as=Table;v=v9;g=meta.k8s.io, application/json",
            "application/yaml;as=Table;v=v1;g=meta.k8s.io",
            "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
            "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io, application/json",
            "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
            "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io, application/json",
            "application/json;as=Nothing;v=v1;g=meta.k8s.io",
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json",
            "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json");
    static final List<String> LABELS = List.of(
            "x=1",
            "x==1",
            "x!=1",
            "x",
            "!x",
            "x in (1,2)",
            "x notin (1, 2)",
            "x=1,y",
            "x in ()",
            "x>0",
            "x<2",
            "x>a",
            "",
            ",",
            "x=1,",
            "x=1==2",
            "x=a b",
            "-x=1",
            "x=-1",
            "example.com/x=1",
            "Example.com/x=1",
            "/x=1",
            "x in (1",
            "x in 1",
            "x notin",
            "x = 1 , y",
            "x=" + "v".repeat(64),
            "y" + "k".repeat(63) + "=1");
    static final List<String> FIELDS = List.of(
            "metadata.name=n0",
            "metadata.name==n1",
            "metadata.name!=n0",
            "metadata.namespace=reads-a",
            "metadata.namespace!=reads-a",
            "metadata.namespace=other",
            "metadata.name=n0,metadata.namespace=reads-b",
            "metadata.name=n0,metadata.name=n1",
            "metadata.uid=1",
            "metadata.labels.x=1",
            "status.phase=Pending",
            "status.phase!=Pending",
            "spec.nodeName=n0",
            "spec.host=n0",
            "spec.signerName=a",
            "spec.nodeName=",
            "spec.restartPolicy=Always",
            "spec.serviceAccountName=default",
            "spec.schedulerName=default-scheduler",
            "spec.hostNetwork=false",
            "status.podIP=",
            "status.podIPs=1.2.3.4",
            "status.nominatedNodeName=",
            "type=Opaque",
            "type!=Opaque",
            "reason=Why",
            "type=Normal",
            "involvedObject.name=n0",
            "involvedObject.kind=Pod",
            "regarding.name=n0",
            "source=test",
            "reportingComponent=test",
            "spec.unschedulable=true",
            "spec.clusterIP=None",
            "spec.type=ClusterIP",
            "status.successful=0",
            "status.replicas=0",
            "spec.size=1",
            "spec.size!=1",
            "spec.kind=a",
            "spec.nothing=1",
            "spec.nodeName",
            "metadata.name=n0,",
            "metadata.name=a\\,b",
            "metadata.name=a\\x",
            "=n0",
            "x",
            "");

    private final Random random;

    RandomReads(Random random) {
        this.random = random;
    }

    private <T> T pick(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private boolean one(int of) {
        return random.nextInt(of) == 0;
    }

    private static ObjectNode request(String method, String path) {
        return JsonNodeFactory.instance.objectNode().put("method", method).put("path", path);
    }

    /** Where objects of the namespaces and of the cluster are. */
    String collection() {
        if (one(4)) {
            return pick(CLUSTER);
        }
        String namespace =
                one(3) ? "" : "/namespaces/" + pick(one(8) ? List.of("none", "Bad_Name") : ReadObjects.NAMESPACES);
        if (one(2)) {
            return "/api/v1" + namespace + "/" + pick(CORE);
        }
        String[] parts = pick(GROUPED).split("/");
        return "/apis/" + parts[0] + "/" + parts[1] + namespace + "/" + parts[2];
    }

    ObjectNode next() {
        ObjectNode request = switch (random.nextInt(10)) {
            case 0, 1 -> discovery();
            case 2, 3, 4 -> object();
            case 5 -> wrongMethod();
            default -> list();
        };
        if (!request.has("accept") && one(2)) {
            request.put("accept", pick(ACCEPTS));
        }
        return request;
    }

    private ObjectNode discovery() {
        String path = pick(DISCOVERY);
        ObjectNode request = request(one(6) ? pick(List.of("POST", "PUT", "DELETE", "HEAD", "OPTIONS")) : "GET", path);
        if (path.matches("/apis?/?") && one(2)) {
            request.put("accept", ACCEPTS.get(ACCEPTS.size() - 1 - random.nextInt(3)));
        }
        int question = path.indexOf('?');
        if (question > 0) {
            String[] query = path.substring(question + 1).split("=");
            request.put("path", path.substring(0, question)).putObject("query").put(query[0], query[1]);
        }
        return request;
    }

    private ObjectNode object() {
        String path = collection() + "/" + pick(NAMES);
        if (one(5)) {
            path += "/"
                    + pick(List.of("status", "scale", "log", "nothing", "token", "approval", "eviction", "finalize"));
        }
        ObjectNode request = request(one(10) ? "HEAD" : "GET", path);
        ObjectNode query = request.putObject("query");
        if (one(6)) {
            query.put("resourceVersion", version());
        }
        if (one(10)) {
            query.put("pretty", pick(List.of("true", "false", "1", "x")));
        }
        if (one(12)) {
            query.put(
                    pick(List.of("nothing", "limit", "labelSelector", "includeObject")),
                    pick(List.of("1", "x=1", "Metadata")));
        }
        return request;
    }

    private String version() {
        return pick(List.of("0", "1", "", "x", "-1", "01", "99999999999999999999", "1.5"));
    }

    private ObjectNode list() {
        ObjectNode request = request("GET", collection());
        ObjectNode query = request.putObject("query");
        if (one(2)) {
            query.put("labelSelector", pick(LABELS));
        }
        if (one(2)) {
            query.put("fieldSelector", pick(FIELDS));
        }
        if (one(4)) {
            boolean shared = isShared(request.path("path").asText());
            query.put(
                    "limit",
                    pick(
                            shared
                                    ? List.of("0", "-1", "x", "", "99999999999999999999")
                                    : List.of("1", "2", "3", "0", "-1", "x", "", "500", "99999999999999999999")));
        }
        if (one(5)) {
            query.put("resourceVersion", version());
        }
        if (one(5)) {
            query.put("resourceVersionMatch", pick(List.of("Exact", "NotOlderThan", "", "Bogus", "exact")));
        }
        if (one(12)) {
            query.put("continue", pick(List.of("x", "", "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhIn0")));
        }
        if (one(10)) {
            query.put("includeObject", pick(List.of("None", "Metadata", "Object", "Bogus")));
        }
        if (one(15)) {
            query.put("timeoutSeconds", pick(List.of("1", "0", "-1", "x")));
        }
        if (one(20)) {
            query.put("sendInitialEvents", pick(List.of("true", "false", "x")));
        }
        if (one(20)) {
            query.put("allowWatchBookmarks", pick(List.of("true", "x")));
        }
        if (one(20)) {
            query.put("pretty", "true");
        }
        if (one(25) && !isShared(request.path("path").asText())) {
            ArrayNode twice = query.putArray("limit");
            twice.add("1").add("2");
        }
        if (one(20)) {
            request.put("path", request.path("path").asText() + "/");
        }
        return request;
    }

    /** Whether a list has objects of the server's own, so that its pages do not end alike. */
    private static boolean isShared(String collection) {
        return collection.endsWith("configmaps")
                || (!collection.contains("/namespaces/reads-") && !collection.contains("/reads.example.com/"));
    }

    private ObjectNode wrongMethod() {
        String collection = collection();
        ObjectNode request = one(2)
                ? request(pick(List.of("PUT", "PATCH", "OPTIONS", "HEAD", "TRACE")), collection)
                : request(pick(List.of("POST", "OPTIONS")), collection + "/" + pick(NAMES));
        if (one(2)
                && !List.of("OPTIONS", "HEAD", "TRACE")
                        .contains(request.path("method").asText())) {
            request.putObject("body").put("x", 1);
            if (one(2)) {
                request.put(
                        "contentType",
                        pick(List.of(
                                "application/json",
                                "text/plain",
                                "application/merge-patch+json",
                                "x",
                                "application/json; charset=utf-8")));
            }
        }
        return request;
    }
}
