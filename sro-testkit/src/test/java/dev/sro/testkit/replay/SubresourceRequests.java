package dev.sro.testkit.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Requests to what hangs on objects, and questions to the server, which are no objects at all. Draws from one source. */
final class SubresourceRequests {
    private static final String NAMESPACE = "/api/v1/namespaces/${ns}";
    private static final String AUTHORIZATION = "/apis/authorization.k8s.io/v1";

    private final Random random;
    private final GeneratedObjects objects;

    SubresourceRequests(Random random, GeneratedObjects objects) {
        this.random = random;
        this.objects = objects;
    }

    private <T> T pick(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private boolean one(int of) {
        return random.nextInt(of) == 0;
    }

    private static ObjectNode parsed(String json) {
        try {
            return (ObjectNode) Endpoint.JSON.readTree(json.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(json, e);
        }
    }

    /** @param sample an object that may be there, in that collection */
    ObjectNode next(ObjectNode sample, String collection) {
        String object = collection + "/" + sample.path("metadata").path("name").asText();
        List<ObjectNode> all = new ArrayList<>();
        switch (sample.path("kind").asText()) {
            case "Pod" -> pod(object, all);
            case "ServiceAccount" -> all.add(post(object + "/token", token()));
            case "CertificateSigningRequest" -> all.add(approval(object, sample));
            case "Deployment", "ReplicaSet", "StatefulSet", "ReplicationController", "Widget" -> scale(object, all);
            default -> {
                all.add(get(object + pick(List.of("/status", "/scale", "/log", "/x"))));
                all.add(question());
            }
        }
        if (all.size() == 1) {
            all.add(all.get(0));
            all.add(question());
        }
        return pick(all);
    }

    private static ObjectNode get(String path) {
        return SamplePaths.request("GET", path, JsonNodeFactory.instance.nullNode());
    }

    private ObjectNode post(String path, ObjectNode sample) {
        return SamplePaths.request("POST", path, objects.like(sample));
    }

    private void pod(String object, List<ObjectNode> all) {
        String name = object.substring(object.lastIndexOf('/') + 1);
        ObjectNode eviction = parsed("{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'name':'" + name + "'}}");
        if (one(2)) {
            eviction.putObject("deleteOptions").put("gracePeriodSeconds", pick(List.of(0, 5, -1)));
        }
        all.add(post(object + "/eviction", eviction));
        ObjectNode binding = parsed("{'apiVersion':'v1','kind':'Binding','metadata':{'name':'" + name
                + "'},'target':{'kind':'Node','name':'n1'}}");
        all.add(post(one(3) ? NAMESPACE + "/bindings" : object + "/binding", binding));
        ObjectNode log = get(object + "/log");
        log.putObject("query")
                .put(
                        pick(List.of("container", "tailLines", "sinceSeconds", "limitBytes", "follow", "stream")),
                        pick(List.of("c", "-1", "0", "x", "true", "1")));
        all.add(log);
        ObjectNode ephemeral =
                parsed("{'spec':{'ephemeralContainers':[{'name':'debug','image':'i','targetContainerName':'c'}]}}");
        all.add(patch(object + "/ephemeralcontainers", objects.mutated(ephemeral)));
        ObjectNode resize = parsed(
                "{'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':'1'},'limits':{'cpu':'2'}}}]}}");
        all.add(patch(object + "/resize", objects.mutated(resize)));
        ObjectNode status = parsed("{'status':{'phase':'Running','podIP':'10.0.0.1','conditions':[{'type':'Ready',"
                + "'status':'True'}],'containerStatuses':[{'name':'c','ready':true,'image':'i','imageID':'x','restartCount':1,"
                + "'state':{'running':{'startedAt':'2026-01-02T03:04:05Z'}}}]}}");
        all.add(patch(object + "/status", objects.mutated(status)));
    }

    private ObjectNode patch(String path, ObjectNode body) {
        String type = one(3) ? "application/merge-patch+json" : "application/strategic-merge-patch+json";
        return SamplePaths.request("PATCH", path, body).put("contentType", type);
    }

    private void scale(String object, List<ObjectNode> all) {
        String name = object.substring(object.lastIndexOf('/') + 1);
        all.add(get(object + "/scale"));
        all.add(patch(object + "/scale", objects.mutated(parsed("{'spec':{'replicas':3}}"))));
        ObjectNode scale = parsed("{'apiVersion':'autoscaling/v1','kind':'Scale','metadata':{'name':'" + name
                + "','namespace':'${ns}'},'spec':{'replicas':2}}");
        all.add(SamplePaths.request("PUT", object + "/scale", objects.like(scale)));
    }

    private ObjectNode token() {
        ObjectNode request = parsed("{'apiVersion':'authentication.k8s.io/v1','kind':'TokenRequest','spec':{}}");
        ((ObjectNode) request.path("spec")).put("expirationSeconds", pick(List.of(600, 3600, 1, -1, 599)));
        return request;
    }

    private ObjectNode approval(String object, ObjectNode sample) {
        ObjectNode body = sample.deepCopy();
        ObjectNode condition = body.putObject("status").putArray("conditions").addObject();
        condition
                .put("type", pick(List.of("Approved", "Denied", "Failed", "x")))
                .put("status", pick(List.of("True", "False")));
        if (one(2)) {
            condition.put("reason", "Why").put("message", "because");
        }
        return SamplePaths.request("PUT", object + pick(List.of("/approval", "/status")), body);
    }

    private ObjectNode question() {
        return switch (random.nextInt(5)) {
            case 0 ->
                post(
                        AUTHORIZATION + "/selfsubjectaccessreviews",
                        parsed("{'apiVersion':'authorization.k8s.io/v1','kind':'SelfSubjectAccessReview',"
                                + "'spec':{'resourceAttributes':{'verb':'get','resource':'pods'}}}"));
            case 1 ->
                post(
                        AUTHORIZATION + "/subjectaccessreviews",
                        parsed("{'apiVersion':'authorization.k8s.io/v1','kind':'SubjectAccessReview',"
                                + "'spec':{'user':'u','nonResourceAttributes':{'verb':'get','path':'/x'}}}"));
            case 2 ->
                post(
                        AUTHORIZATION + "/namespaces/${ns}/localsubjectaccessreviews",
                        parsed(
                                "{'apiVersion':'authorization.k8s.io/v1','kind':'LocalSubjectAccessReview',"
                                        + "'metadata':{'namespace':'${ns}'},"
                                        + "'spec':{'user':'u','resourceAttributes':{'verb':'get','resource':'pods','namespace':'${ns}'}}}"));
            case 3 ->
                post(
                        "/apis/authentication.k8s.io/v1/tokenreviews",
                        parsed("{'apiVersion':'authentication.k8s.io/v1','kind':'TokenReview','spec':{'token':'x'}}"));
            default ->
                post(
                        "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                        parsed("{'apiVersion':'authentication.k8s.io/v1','kind':'SelfSubjectReview'}"));
        };
    }
}
