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
    private static final Map<String, List<String>> PARTS = Map.ofEntries(
            Map.entry(
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
                            "{'bogus':1}")),
            Map.entry(
                    "Secret",
                    List.of(
                            "{'data':{'a':'YQ=='}}",
                            "{'stringData':{'a':'x'}}",
                            "{'stringData':{'b':'y'},'data':{'b':'eg=='}}",
                            "{'type':'Opaque'}",
                            "{'type':'example.com/t'}",
                            "{'data':{'a':null}}",
                            "{'data':null}",
                            "{'data':{'a':'***'}}")),
            Map.entry(
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
                            "{'spec':{'ports':'x'}}")),
            Map.entry(
                    "Lease",
                    List.of(
                            "{'spec':{'holderIdentity':'h'}}",
                            "{'spec':{'holderIdentity':'i','leaseDurationSeconds':15}}",
                            "{'spec':{'leaseTransitions':1,'renewTime':'2026-01-01T00:00:00.000000Z'}}",
                            "{'spec':{'holderIdentity':null}}",
                            "{'spec':{'leaseDurationSeconds':0}}",
                            "{'spec':{'leaseDurationSeconds':'x'}}",
                            "{'spec':{}}")),
            Map.entry(
                    "Role",
                    List.of(
                            "{'rules':[{'apiGroups':[''],'resources':['pods'],'verbs':['get']}]}",
                            "{'rules':[{'apiGroups':['apps'],'resources':['daemonsets'],'verbs':['get','list']},"
                                    + "{'apiGroups':[''],'resources':['nodes'],'verbs':['*'],'resourceNames':['n']}]}",
                            "{'rules':[]}",
                            "{'rules':null}",
                            "{'rules':[{'verbs':['get']}]}",
                            "{'rules':'x'}")),
            Map.entry(
                    "NetworkPolicy",
                    List.of(
                            "{'spec':{'podSelector':{}}}",
                            "{'spec':{'podSelector':{'matchLabels':{'a':'b'}},'policyTypes':['Egress']}}",
                            "{'spec':{'ingress':[{'ports':[{'port':80}]}]}}",
                            "{'spec':{'egress':[{'to':[{'namespaceSelector':{}}]}]}}",
                            "{'spec':{'ingress':null}}",
                            "{'spec':{'ingress':[{'from':[{}]}]}}",
                            "{'spec':{'ingress':[{'from':[{'podSelector':{'matchLabels':{'a':'b'}}}],'ports':[{'port':'web'}]}]}}",
                            "{'spec':{'egress':[{'to':[{'ipBlock':{'cidr':'10.0.0.0/8','except':['10.1.0.0/16']}}]}]}}",
                            "{'spec':{'egress':[{'to':[{'ipBlock':{'cidr':'10.0.0.0/8'},'podSelector':{}}]}]}}",
                            "{'spec':{'egress':[{'to':[{'ipBlock':{'cidr':''}},{'namespaceSelector':{}}]}]}}",
                            "{'spec':{'egress':[{'to':[{'ipBlock':{'cidr':'ten'}}]}]}}",
                            "{'spec':{'egress':[{'ports':[{'port':80,'endPort':90,'protocol':'UDP'}]}]}}",
                            "{'spec':{'egress':[{'ports':[{'port':80,'endPort':79},{'endPort':5},{'port':'a','endPort':5}]}]}}",
                            "{'spec':{'egress':[{'ports':[{'port':0},{'port':'-a--b-'},{'port':'5'},{'protocol':'ICMP'}]}]}}",
                            "{'spec':{'podSelector':{'matchExpressions':[{'key':'a','operator':'In','values':['b']}]}}}",
                            "{'spec':{'podSelector':{'matchExpressions':[{'key':'a','operator':'In'}]}}}",
                            "{'spec':{'podSelector':{'matchExpressions':[{'key':'a','operator':'Exists','values':['b']}]}}}",
                            "{'spec':{'podSelector':{'matchExpressions':[{'key':'a','operator':'Is'}]}}}",
                            "{'spec':{'policyTypes':['Ingress','Egress','Ingress']}}",
                            "{'spec':{'policyTypes':['Both']}}",
                            "{'spec':{'policyTypes':['Ingress','Egress']}}")),
            Map.entry(
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
                            "{'template':{'spec':{'containers':[{'name':'c','image':''}]}}}")),
            Map.entry(
                    "Gadget",
                    List.of(
                            "{'spec':{'n':1}}",
                            "{'spec':{'n':2,'mode':'on','tags':['x']}}",
                            "{'spec':{'cards':[{'id':'0','mode':'a'}],'whole':{'a':'1'}}}",
                            "{'spec':{'cards':[{'id':'1'},{'id':'0','mode':'b'}],'tags':['y','x']}}",
                            "{'spec':{'whole':{'b':'2'},'any':{'x':{'y':[1]}}}}",
                            "{'spec':{'n':-1}}",
                            "{'spec':{'n':'x'}}",
                            "{'spec':{'mode':'half'}}",
                            "{'spec':{'mode':null,'n':null}}",
                            "{'spec':{'tags':['x','x']}}",
                            "{'spec':{'cards':[{'mode':'c'}]}}",
                            "{'spec':{'bogus':1,'n':3}}",
                            "{'status':{'s':'x'}}",
                            "{'spec':null}",
                            "{'bogus':1}")),
            Map.entry(
                    "DaemonSet",
                    List.of(
                            "{'spec':{'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},'spec':{"
                                    + "'nodeSelector':{'no':'node'},'containers':[{'name':'c','image':'i:1'}]}}}}",
                            "{'spec':{'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},'spec':{"
                                    + "'nodeSelector':{'no':'node'},'containers':[{'name':'c','image':'i:2','env':[{'name':'A','value':'1'}]},"
                                    + "{'name':'d','image':'j'}],'hostNetwork':true}},'updateStrategy':{'type':'OnDelete'}}}",
                            "{'spec':{'minReadySeconds':3}}",
                            "{'spec':{'updateStrategy':{'rollingUpdate':{'maxUnavailable':'10%'}}}}",
                            "{'spec':{'updateStrategy':{'type':'RollingUpdate','rollingUpdate':{'maxSurge':1,'maxUnavailable':0}}}}",
                            "{'spec':{'revisionHistoryLimit':0}}",
                            "{'spec':{'selector':{'matchLabels':{'a':'c'}}}}",
                            "{'spec':{'template':{'spec':{'containers':[{'name':'c','image':'i:3','args':['x']}]}}}}",
                            "{'spec':{'template':{'spec':{'tolerations':[{'operator':'Exists'}],'priorityClassName':'system-node-critical'}}}}",
                            "{'spec':{'template':{'spec':{'restartPolicy':'Never'}}}}",
                            "{'spec':{'minReadySeconds':-1}}",
                            "{'spec':{'template':{'spec':{'volumes':[{'name':'v','hostPath':{'path':'/x'}}],'containers':[{'name':'c',"
                                    + "'volumeMounts':[{'name':'v','mountPath':'/v'}],'securityContext':{'privileged':true}}]}}}}",
                            "{'spec':{'template':{'spec':{'containers':[{'name':'c','volumeMounts':[{'name':'none','mountPath':'/v'}]}]}}}}")),
            Map.entry(
                    "Deployment",
                    List.of(
                            "{'spec':{'replicas':0,'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},"
                                    + "'spec':{'schedulerName':'nobody','containers':[{'name':'c','image':'i:1'}]}}}}",
                            "{'spec':{'replicas':0,'paused':true,'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':"
                                    + "{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i:1','ports':[{'containerPort':1}]}]}}}}",
                            "{'spec':{'minReadySeconds':3}}",
                            "{'spec':{'strategy':{'type':'Recreate'}}}",
                            "{'spec':{'strategy':{'type':'Recreate','rollingUpdate':null}}}",
                            "{'spec':{'strategy':{'rollingUpdate':{'maxSurge':0,'maxUnavailable':0}}}}",
                            "{'spec':{'strategy':{'rollingUpdate':{'maxSurge':'x%'}}}}",
                            "{'spec':{'progressDeadlineSeconds':1,'minReadySeconds':5}}",
                            "{'spec':{'replicas':-1}}",
                            "{'spec':{'revisionHistoryLimit':2,'paused':false}}",
                            "{'spec':{'template':{'metadata':{'labels':{'a':'z'}}}}}",
                            "{'spec':{'template':{'spec':{'terminationGracePeriodSeconds':-1}}}}",
                            "{'spec':{'template':{'spec':{'containers':[{'name':'c','livenessProbe':{'httpGet':{'path':'/','port':8080}}}]}}}}",
                            "{'spec':{'template':{'spec':{'containers':[{'name':'c','livenessProbe':{'tcpSocket':{'port':1}},"
                                    + "'resources':{'requests':{'cpu':'2'},'limits':{'cpu':'1'}}}]}}}}")));
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

    /** The definition of the custom resource among the kinds. */
    static ObjectNode definition() {
        return json("{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition','metadata':{'name':"
                + "'gadgets.${ns}.example.com'},'spec':{'group':'${ns}.example.com','scope':'Namespaced','names':{'plural':"
                + "'gadgets','singular':'gadget','kind':'Gadget','listKind':'GadgetList'},'versions':[{'name':'v1','served':"
                + "true,'storage':true,'subresources':{'status':{}},'schema':{'openAPIV3Schema':{'type':'object','properties':"
                + "{'spec':{'type':'object','properties':{'n':{'type':'integer','minimum':0},'mode':{'type':'string','enum':"
                + "['on','off'],'default':'off'},'tags':{'type':'array','x-kubernetes-list-type':'set','items':{'type':"
                + "'string'}},'cards':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['id'],"
                + "'items':{'type':'object','required':['id'],'properties':{'id':{'type':'string'},'mode':{'type':'string'}}}},"
                + "'whole':{'type':'object','x-kubernetes-map-type':'atomic','additionalProperties':{'type':'string'}},"
                + "'any':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}},'status':{'type':'object',"
                + "'properties':{'s':{'type':'string'}}}}}}}]}}");
    }

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
            case "Gadget" -> "${ns}.example.com/v1";
            case "DaemonSet", "Deployment" -> "apps/v1";
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
