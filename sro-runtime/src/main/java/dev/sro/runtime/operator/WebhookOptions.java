package dev.sro.runtime.operator;

import dev.sro.runtime.UnusableInputException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** Where admission webhooks are answered, as the command line says it. Filled by the command line parser. */
final class WebhookOptions {

    @Option(
            names = "--webhook-address",
            paramLabel = "HOST:PORT",
            defaultValue = "${env:SRO_WEBHOOK_ADDRESS:-none}",
            description =
                    "Where admission webhooks are answered over HTTPS; needed where the API server has no admission"
                            + " policies (before Kubernetes 1.36). Default: none.")
    private String address = "";

    @Option(
            names = "--webhook-certificates",
            paramLabel = "DIR",
            defaultValue = "${env:SRO_WEBHOOK_CERTIFICATES:-/etc/sro-webhook}",
            description =
                    "tls.crt and tls.key of the webhooks, and ca.crt unless an annotation has somebody write it; read"
                            + " again every five seconds. Default: /etc/sro-webhook.")
    private Path certificates = Path.of("");

    @Option(
            names = "--webhook-service",
            paramLabel = "NAME:PORT",
            defaultValue = "${env:SRO_WEBHOOK_SERVICE:-special-resource-operator-webhook:443}",
            description =
                    "The Service, in the operator's namespace, by which the API server reaches the webhooks. Default:"
                            + " special-resource-operator-webhook:443.")
    private String service = "";

    @Option(
            names = "--webhook-url",
            paramLabel = "URL",
            defaultValue = "${env:SRO_WEBHOOK_URL:-}",
            description =
                    "https://HOST:PORT by which the API server reaches the webhooks where no Service leads to them, as"
                            + " of an operator outside the cluster; goes before --webhook-service. Default: none.")
    private String url = "";

    @Option(
            names = "--webhook-annotations",
            paramLabel = "KEY=VALUE,...",
            defaultValue = "${env:SRO_WEBHOOK_ANNOTATIONS:-}",
            description =
                    "Annotations of webhook configurations, by which cert-manager or OpenShift writes the CA into them."
                            + " Default: none.")
    private String annotations = "";

    /** As it was given. */
    String address() {
        return address;
    }

    /** Empty where no webhooks are answered. */
    Optional<WebhookSettings> settings() {
        return address.equals("none") ? Optional.empty() : Optional.of(server());
    }

    private WebhookSettings server() {
        String[] listen = OperatorCommand.address("--webhook-address", address, "0.0.0.0:9443");
        int colon = service.lastIndexOf(':');
        String[] reached = OperatorCommand.address(
                "--webhook-service", colon < 0 ? service + ":443" : service, "special-resource-operator-webhook:443");
        Map<String, String> pairs = new TreeMap<>();
        for (String pair : annotations.isEmpty() ? new String[0] : annotations.split(",")) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new UnusableInputException(
                        "--webhook-annotations " + annotations,
                        "\"" + pair + "\" is not KEY=VALUE, such as cert-manager.io/inject-ca-from=ns/name");
            }
            pairs.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        return new WebhookSettings(
                listen[0],
                Integer.parseInt(listen[1]),
                certificates,
                reached[0],
                Integer.parseInt(reached[1]),
                pairs,
                WebhookSettings.url(url));
    }
}
