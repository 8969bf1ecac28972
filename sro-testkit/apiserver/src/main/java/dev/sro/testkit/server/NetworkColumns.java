package dev.sro.testkit.server;

import static dev.sro.testkit.server.TableColumns.NONE;
import static dev.sro.testkit.server.TableColumns.age;
import static dev.sro.testkit.server.TableColumns.column;
import static dev.sro.testkit.server.TableColumns.labels;
import static dev.sro.testkit.server.TableColumns.orNone;
import static dev.sro.testkit.server.TableColumns.selectorOf;
import static dev.sro.testkit.server.TableColumns.wide;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.server.TableColumns.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The columns of Services, Ingresses and what else is about the network. Stateless. */
final class NetworkColumns {
    private static final int SHOWN = 3;

    static final Map<String, List<Column>> BY_KIND = Map.of(
            "Service",
            List.of(
                    column("Type", o -> Json.text(o, "spec", "type")),
                    column("Cluster-IP", o -> orNone(Json.text(o, "spec", "clusterIP"))),
                    column("External-IP", NetworkColumns::external),
                    column("Port(s)", NetworkColumns::ports),
                    age(),
                    wide("Selector", o -> labels(o.path("spec").path("selector")))),
            "Endpoints",
            List.of(column("Endpoints", NetworkColumns::endpoints), age()),
            "EndpointSlice",
            List.of(
                    column("AddressType", o -> Json.text(o, "addressType")),
                    column("Ports", o -> some(numbers(o.path("ports")), "<unset>")),
                    column("Endpoints", o -> some(addresses(o.path("endpoints")), "<unset>")),
                    age()),
            "Ingress",
            List.of(
                    column("Class", o -> orNone(Json.text(o, "spec", "ingressClassName"))),
                    column("Hosts", NetworkColumns::hosts),
                    column("Address", NetworkColumns::balancer),
                    column("Ports", o -> o.path("spec").path("tls").isEmpty() ? "80" : "80, 443"),
                    age()),
            "IngressClass",
            List.of(
                    column("Controller", o -> Json.text(o, "spec", "controller")),
                    column("Parameters", o -> parameters(o.path("spec").path("parameters"))),
                    age()),
            "NetworkPolicy",
            List.of(column("Pod-Selector", o -> selectorOf(o.path("spec").path("podSelector"))), age()),
            "IPAddress",
            List.of(column("ParentRef", o -> parent(o.path("spec").path("parentRef"))), age()),
            "ServiceCIDR",
            List.of(column("CIDRs", o -> String.join(",", texts(o.path("spec").path("cidrs")))), age()));

    private NetworkColumns() {}

    /** What has the address: its group, resource, namespace and name. */
    private static String parent(JsonNode parent) {
        if (!parent.isObject()) {
            return "<none>";
        }
        String group = Json.text(parent, "group");
        String namespace = Json.text(parent, "namespace");
        String resource = Json.text(parent, "resource") + (group.isEmpty() ? "" : "." + group);
        return resource.toLowerCase(Locale.ROOT) + "/" + (namespace.isEmpty() ? "" : namespace + "/")
                + Json.text(parent, "name");
    }

    private static List<String> texts(JsonNode values) {
        List<String> texts = new ArrayList<>();
        values.forEach(value -> texts.add(value.asText()));
        return texts;
    }

    private static String external(JsonNode service) {
        String ips = String.join(",", texts(service.path("spec").path("externalIPs")));
        return switch (Json.text(service, "spec", "type")) {
            case "ExternalName" -> Json.text(service, "spec", "externalName");
            case "LoadBalancer" -> {
                String balanced = balancer(service);
                String both = balanced.isEmpty() || ips.isEmpty() ? balanced + ips : balanced + "," + ips;
                yield both.isEmpty() ? "<pending>" : both;
            }
            default -> orNone(ips);
        };
    }

    private static String balancer(JsonNode object) {
        List<String> addresses = new ArrayList<>();
        for (JsonNode ingress : object.path("status").path("loadBalancer").path("ingress")) {
            String ip = Json.text(ingress, "ip");
            addresses.add(ip.isEmpty() ? Json.text(ingress, "hostname") : ip);
        }
        return String.join(",", addresses);
    }

    private static String ports(JsonNode service) {
        List<String> ports = new ArrayList<>();
        for (JsonNode port : service.path("spec").path("ports")) {
            int node = port.path("nodePort").asInt();
            ports.add(port.path("port").asInt() + (node > 0 ? ":" + node : "") + "/" + Json.text(port, "protocol"));
        }
        return orNone(String.join(",", ports));
    }

    private static String endpoints(JsonNode endpoints) {
        List<String> all = new ArrayList<>();
        for (JsonNode subset : endpoints.path("subsets")) {
            for (JsonNode address : subset.path("addresses")) {
                if (subset.path("ports").isEmpty()) {
                    all.add(Json.text(address, "ip"));
                }
            }
            for (JsonNode port : subset.path("ports")) {
                for (JsonNode address : subset.path("addresses")) {
                    all.add(Json.text(address, "ip") + ":" + port.path("port").asInt());
                }
            }
        }
        return some(all, NONE);
    }

    /** The first few, and how many more there are. */
    private static String some(List<String> all, String none) {
        if (all.isEmpty()) {
            return none;
        }
        String shown = String.join(",", all.subList(0, Math.min(SHOWN, all.size())));
        return all.size() > SHOWN ? shown + " + " + (all.size() - SHOWN) + " more..." : shown;
    }

    private static List<String> numbers(JsonNode ports) {
        List<String> numbers = new ArrayList<>();
        for (JsonNode port : ports) {
            numbers.add(port.hasNonNull("port") ? port.path("port").asText() : "*");
        }
        return numbers;
    }

    private static List<String> addresses(JsonNode endpoints) {
        List<String> addresses = new ArrayList<>();
        endpoints.forEach(endpoint -> addresses.addAll(texts(endpoint.path("addresses"))));
        return addresses;
    }

    private static String hosts(JsonNode ingress) {
        List<String> hosts = new ArrayList<>();
        for (JsonNode rule : ingress.path("spec").path("rules")) {
            if (!Json.text(rule, "host").isEmpty()) {
                hosts.add(Json.text(rule, "host"));
            }
        }
        return some(hosts, "*");
    }

    private static String parameters(JsonNode parameters) {
        if (!parameters.isObject()) {
            return NONE;
        }
        String group = Json.text(parameters, "apiGroup");
        return Json.text(parameters, "kind") + (group.isEmpty() ? "" : "." + group) + "/"
                + Json.text(parameters, "name");
    }
}
