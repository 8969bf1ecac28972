package dev.sro.testkit.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** Random parts of objects, mostly valid ones. */
final class RandomObjects {
    private static final List<String> METADATA = List.of(
            "{'labels':{'x':'1'}}",
            "{'labels':{'x':'2','y':'1'}}",
            "{'annotations':{'n':'1'}}",
            "{'labels':{'x':null}}",
            "{'labels':null,'annotations':{'n':null}}",
            "{'labels':{'bad key':'1'}}",
            "{'labels':{'x':1}}",
            "{'finalizers':['example.com/a']}",
            "{'finalizers':null}",
            "{'finalizers':[]}",
            "{'generateName':'g-'}",
            "{'uid':'11111111-1111-1111-1111-111111111111'}",
            "{'namespace':'default'}",
            "{'bogus':true}",
            "{}");
    private static final Map<String, List<String>> PARTS = Map.of(
            "ConfigMap",
            List.of(
                    "{'data':{'a':'1'}}",
                    "{'data':{'a':'2','b':'1'}}",
                    "{'data':{'b':'3'},'binaryData':{'c':'YQ=='}}",
                    "{'data':null}",
                    "{'data':{'a':null}}",
                    "{'data':{}}",
                    "{'data':{'a':5}}",
                    "{'data':'x'}",
                    "{'binaryData':{'a':'?'}}",
                    "{'immutable':false}",
                    "{'bogus':1}"),
            "Secret",
            List.of(
                    "{'data':{'a':'YQ=='}}",
                    "{'stringData':{'a':'x'}}",
                    "{'stringData':{'b':'y'},'data':{'b':'eg=='}}",
                    "{'type':'Opaque'}",
                    "{'type':'example.com/t'}",
                    "{'data':{'a':null}}",
                    "{'data':null}",
                    "{'data':{'a':'***'}}"),
            "Service",
            List.of(
                    "{'spec':{'ports':[{'port':80}]}}",
                    "{'spec':{'ports':[{'port':80,'name':'h'},{'port':81,'name':'i'}]}}",
                    "{'spec':{'ports':[{'port':80,'protocol':'UDP'}],'selector':{'a':'b'}}}",
                    "{'spec':{'selector':{'a':'c','d':'e'}}}",
                    "{'spec':{'sessionAffinity':'ClientIP'}}",
                    "{'spec':{'ports':[]}}",
                    "{'spec':{'ports':[{'port':0}]}}",
                    "{'spec':{'type':'ExternalName','externalName':'e.example.com'}}",
                    "{'spec':{'clusterIP':'None'}}",
                    "{'spec':{'ports':'x'}}"),
            "Lease",
            List.of(
                    "{'spec':{'holderIdentity':'h'}}",
                    "{'spec':{'holderIdentity':'i','leaseDurationSeconds':15}}",
                    "{'spec':{'leaseTransitions':1,'renewTime':'2026-01-01T00:00:00.000000Z'}}",
                    "{'spec':{'holderIdentity':null}}",
                    "{'spec':{'leaseDurationSeconds':0}}",
                    "{'spec':{'leaseDurationSeconds':'x'}}",
                    "{'spec':{}}"),
            "Role",
            List.of(
                    "{'rules':[{'apiGroups':[''],'resources':['pods'],'verbs':['get']}]}",
                    "{'rules':[{'apiGroups':['apps'],'resources':['daemonsets'],'verbs':['get','list']},"
                            + "{'apiGroups':[''],'resources':['nodes'],'verbs':['*'],'resourceNames':['n']}]}",
                    "{'rules':[]}",
                    "{'rules':null}",
                    "{'rules':[{'verbs':['get']}]}",
                    "{'rules':'x'}"),
            "NetworkPolicy",
            List.of(
                    "{'spec':{'podSelector':{}}}",
                    "{'spec':{'podSelector':{'matchLabels':{'a':'b'}},'policyTypes':['Egress']}}",
                    "{'spec':{'ingress':[{'ports':[{'port':80}]}]}}",
                    "{'spec':{'egress':[{'to':[{'namespaceSelector':{}}]}]}}",
                    "{'spec':{'ingress':null}}",
                    "{'spec':{'policyTypes':['Ingress','Egress']}}"),
            "PodTemplate",
            List.of(
                    "{'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i:1'}]}}}",
                    "{'template':{'spec':{'containers':[{'name':'c','image':'i:2','env':[{'name':'A','value':'1'}]},"
                            + "{'name':'d','image':'j:1'}]}}}",
                    "{'template':{'spec':{'containers':[{'name':'c','image':'i:2','ports':[{'containerPort':80}],"
                            + "'args':['x'],'env':[{'name':'B','value':'2'}]}],'nodeSelector':{'n':'1'}}}}",
                    "{'template':{'spec':{'containers':[{'name':'c','resources':{'limits':{'cpu':'1','memory':'1Gi'}}}]}}}",
                    "{'template':{'spec':{'tolerations':[{'key':'k','operator':'Exists'}],"
                            + "'volumes':[{'name':'v','emptyDir':{}}]}}}",
                    "{'template':{'spec':{'containers':[{'name':'c','env':[{'name':'A','$patch':'delete'}]}]}}}",
                    "{'template':{'spec':{'containers':[{'name':'d','$patch':'delete'}]}}}",
                    "{'template':{'spec':{'hostNetwork':true,'terminationGracePeriodSeconds':5}}}",
                    "{'template':{'spec':{'nodeSelector':{'n':null,'m':'2'}}}}",
                    "{'template':{'spec':{'containers':[{'name':'c','image':''}]}}}"));
    private static final List<String> OPERATIONS = List.of(
            "{'op':'add','path':'/metadata/labels','value':{'j':'1'}}",
            "{'op':'add','path':'/metadata/labels/k','value':'2'}",
            "{'op':'remove','path':'/metadata/labels/x'}",
            "{'op':'remove','path':'/metadata/labels'}",
            "{'op':'replace','path':'/metadata/labels/x','value':'9'}",
            "{'op':'test','path':'/metadata/name','value':'a'}",
            "{'op':'add','path':'/metadata/annotations','value':{'p':'q'}}",
            "{'op':'copy','from':'/metadata/name','path':'/metadata/labels/copy'}",
            "{'op':'move','from':'/metadata/labels','path':'/metadata/annotations'}",
            "{'op':'replace','path':'/metadata/name','value':'other'}",
            "{'op':'add','path':'/data','value':{'z':'eg=='}}",
            "{'op':'remove','path':'/data/a'}",
            "{'op':'add','path':'/spec/selector','value':{'s':'t'}}",
            "{'op':'remove','path':'/spec'}",
            "{'op':'remove','path':'/template/spec/containers/0'}",
            "{'op':'add','path':'/template/spec/containers/-','value':{'name':'e','image':'k:1'}}");

    private final Random random;

    RandomObjects(Random random) {
        this.random = random;
    }

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) Endpoint.JSON.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static List<String> parts(String kind) {
        return Objects.requireNonNull(PARTS.get(kind), kind);
    }

    private ObjectNode any(List<String> texts) {
        return json(texts.get(random.nextInt(texts.size())));
    }

    /** A whole object; mostly made of what is valid. */
    ObjectNode whole(String kind, String name) {
        ObjectNode body = random.nextInt(100) < 60
                ? json(parts(kind).get(random.nextInt(Math.min(3, parts(kind).size()))))
                : any(parts(kind));
        if (random.nextInt(100) < 45) {
            body.set("metadata", any(METADATA));
        }
        return named(kind, name, body);
    }

    ObjectNode named(String kind, String name, ObjectNode body) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("apiVersion", apiVersion(kind)).put("kind", kind);
        ObjectNode metadata = object.putObject("metadata").put("name", name);
        if (body.path("metadata") instanceof ObjectNode given) {
            metadata.setAll(given);
        }
        for (Map.Entry<String, JsonNode> e : body.properties()) {
            if (!e.getKey().equals("metadata")) {
                object.set(e.getKey(), e.getValue());
            }
        }
        return object;
    }

    private static String apiVersion(String kind) {
        return switch (kind) {
            case "Lease" -> "coordination.k8s.io/v1";
            case "Role" -> "rbac.authorization.k8s.io/v1";
            case "NetworkPolicy" -> "networking.k8s.io/v1";
            default -> "v1";
        };
    }

    ObjectNode fragment(String kind) {
        if (random.nextInt(100) < 35) {
            ObjectNode part = JsonNodeFactory.instance.objectNode();
            part.set("metadata", any(METADATA));
            return part;
        }
        return any(parts(kind));
    }

    ArrayNode operations() {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            all.add(any(OPERATIONS));
        }
        return all;
    }
}
