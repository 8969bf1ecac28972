package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Random;

/** Random watches, with and without mistakes, and random changes of what is watched. */
final class RandomWatches {
    private static final List<String> COLLECTIONS = List.of(
            "/api/v1/namespaces/reads-a/configmaps",
            "/api/v1/namespaces/reads-b/configmaps",
            "/api/v1/namespaces/reads-a/pods",
            "/api/v1/pods",
            "/api/v1/namespaces/reads-a/secrets",
            "/api/v1/namespaces/reads-a/events",
            "/apis/events.k8s.io/v1/namespaces/reads-a/events",
            "/apis/coordination.k8s.io/v1/namespaces/reads-b/leases",
            "/apis/reads.example.com/v1/namespaces/reads-a/things",
            "/apis/reads.example.com/v2/namespaces/reads-a/things",
            "/apis/reads.example.com/v1/things",
            "/apis/reads.example.com/v1/wholes",
            "/api/v1/nodes");
    private static final List<String> NAMES = List.of("n0", "n1", "n2", "n3", "n4");
    private static final List<String> LABELS = List.of("x=1", "x", "!x", "x in (0,2)", "x!=1", "y", "x=1,y", "x=0");
    private static final List<String> FIELDS =
            List.of("metadata.name=n0", "metadata.name!=n1", "metadata.namespace=reads-a");
    private static final List<String> FORMS = List.of(
            "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
            "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json",
            "application/json;stream=watch");

    private final Random random;

    RandomWatches(Random random) {
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

    /** A watch; {@code <rv>} stands for the version that the collection has. */
    ObjectNode watch() {
        ObjectNode request = request("GET", pick(COLLECTIONS));
        ObjectNode query = request.putObject("query");
        query.put("watch", pick(List.of("true", "true", "true", "1", "yes", "")));
        if (one(2)) {
            query.put("labelSelector", one(10) ? pick(RandomReads.LABELS) : pick(LABELS));
        }
        if (one(4)) {
            query.put("fieldSelector", one(5) ? pick(RandomReads.FIELDS) : pick(FIELDS));
        }
        if (!one(3)) {
            query.put(
                    "resourceVersion",
                    one(10) ? pick(List.of("x", "-1", "1")) : pick(List.of("0", "<rv>", "<rv>", "")));
        }
        if (one(2)) {
            query.put("allowWatchBookmarks", pick(List.of("true", "true", "false")));
        }
        if (one(3)) {
            query.put("sendInitialEvents", pick(List.of("true", "true", "false")));
            if (!one(5)) {
                query.put(
                        "resourceVersionMatch", pick(List.of("NotOlderThan", "NotOlderThan", "NotOlderThan", "Exact")));
            }
        } else if (one(15)) {
            query.put("resourceVersionMatch", pick(List.of("NotOlderThan", "Exact", "Bogus")));
        }
        if (one(20)) {
            query.put("limit", pick(List.of("1", "x")));
        }
        if (one(20)) {
            query.put("timeoutSeconds", pick(List.of("60", "x")));
        }
        if (one(3)) {
            String accept = one(6) ? pick(RandomReads.ACCEPTS) : pick(FORMS);
            // As lists, events cannot be written, of which the real server tells its log alone.
            request.put("accept", accept.contains("MetadataList") ? pick(FORMS) : accept);
        }
        if (one(12)) {
            query.remove("watch");
            request.put(
                    "path", request.path("path").asText().replaceFirst("^(/api/v1|/apis/[^/]+/v[12])/", "$1/watch/"));
        }
        return request;
    }

    /** A change of an object that may be there. */
    ObjectNode change() {
        String collection = pick(COLLECTIONS);
        if (collection.equals("/api/v1/pods") || collection.equals("/apis/reads.example.com/v1/things")) {
            collection = collection.replaceFirst("/([a-z]+)$", "/namespaces/reads-a/$1");
        }
        ObjectNode request = request("PATCH", collection + "/" + pick(NAMES));
        if (one(6)) {
            request.put("method", "DELETE").putObject("body").put("gracePeriodSeconds", 0);
            return request;
        }
        request.put("contentType", "application/merge-patch+json");
        ObjectNode labels = request.putObject("body").putObject("metadata").putObject("labels");
        if (one(4)) {
            labels.putNull("x");
        } else {
            labels.put("x", String.valueOf(random.nextInt(3)));
        }
        if (one(3)) {
            labels.put("y", "");
        } else if (one(3)) {
            labels.putNull("y");
        }
        return request;
    }
}
