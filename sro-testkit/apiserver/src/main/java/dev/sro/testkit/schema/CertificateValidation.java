package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Validation of CertificateSigningRequests, but for what is inside the request: that it is a PEM block of the right kind is looked at,
 * not its ASN.1. Stateless.
 */
final class CertificateValidation {
    private static final long SHORTEST = 600;
    private static final Pattern BLOCK =
            Pattern.compile("(?s).*?-----BEGIN ([^-]+)-----\\s*\\n([A-Za-z0-9+/=\\s]*)-----END \\1-----.*");
    private static final List<String> USAGES = List.of(
            "any",
            "cert sign",
            "client auth",
            "code signing",
            "content commitment",
            "crl sign",
            "data encipherment",
            "decipher only",
            "digital signature",
            "email protection",
            "encipher only",
            "ipsec end system",
            "ipsec tunnel",
            "ipsec user",
            "key agreement",
            "key encipherment",
            "microsoft sgc",
            "netscape sgc",
            "ocsp signing",
            "s/mime",
            "server auth",
            "signing",
            "timestamping");

    private CertificateValidation() {}

    /** What is wrong with a new request. */
    static List<FieldError> validate(ObjectNode object) {
        Checks checks = new Checks(new ArrayList<>());
        JsonNode spec = object.path("spec");
        if (!isRequest(JsonTree.text(spec, "request"))) {
            JsonNode given = spec.path("request");
            checks.invalid(
                    "spec.request",
                    given.isMissingNode() ? NullNode.getInstance() : given,
                    "PEM block type must be CERTIFICATE REQUEST");
        }
        usages(spec.path("usages"), checks);
        signer(JsonTree.text(spec, "signerName"), checks);
        JsonNode expires = spec.path("expirationSeconds");
        if (expires.isNumber() && expires.asLong() < SHORTEST) {
            checks.invalid(
                    "spec.expirationSeconds", expires, "may not specify a duration less than 600 seconds (10 minutes)");
        }
        return checks.errors();
    }

    private static boolean isRequest(String base64) {
        try {
            String text = new String(Base64.getDecoder().decode(base64), StandardCharsets.US_ASCII);
            Matcher block = BLOCK.matcher(text);
            return block.matches() && block.group(1).equals("CERTIFICATE REQUEST");
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static void usages(JsonNode usages, Checks checks) {
        if (usages.isEmpty()) {
            checks.required("spec.usages", "");
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < usages.size(); i++) {
            String usage = usages.get(i).asText();
            String at = "spec.usages[" + i + "]";
            if (!USAGES.contains(usage)) {
                checks.notSupported(at, usage, USAGES.toArray(new String[0]));
            }
            if (!seen.add(usage)) {
                checks.add(FieldError.duplicate(at, usages.get(i)));
            }
        }
    }

    private static void signer(String name, Checks checks) {
        String at = "spec.signerName";
        if (name.isEmpty()) {
            checks.required(at, "");
            return;
        }
        int slash = name.indexOf('/');
        if (slash <= 0 || slash == name.length() - 1 || name.indexOf('/', slash + 1) >= 0) {
            checks.invalid(at, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'");
        } else if (!name.substring(0, slash).contains(".")) {
            checks.invalid(
                    at, name.substring(0, slash), "should be a domain with at least two segments separated by dots");
        }
    }
}
