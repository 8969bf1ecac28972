package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which images a pod pushes when it succeeds: those of its annotation {@value #ANNOTATION} (separated by commas), and those
 * that the arguments of a BuildKit ({@code --output type=image,name=REF,push=true}), kaniko ({@code --destination=REF}) or
 * buildah/podman ({@code push REF}) command name.
 */
final class ImagePushes {
    static final String ANNOTATION = "sim.sro.dev/pushes";

    private static final Pattern DESTINATION = Pattern.compile("--destination[= ]\"?([^\\s\"']+)");
    private static final Pattern OUTPUT = Pattern.compile("type=image\\S*?,\"?name=([^,\\s\"']+)\\S*?push=true");
    private static final Pattern OUTPUT_PUSH_FIRST = Pattern.compile("type=image\\S*?push=true\\S*?name=([^,\\s\"']+)");
    private static final Pattern PUSH =
            Pattern.compile("\\b(?:buildah|podman|docker) push (?:-\\S+ )*\"?([^\\s\"';&|]+)");

    private ImagePushes() {}

    static Set<String> find(JsonNode pod) {
        Set<String> refs = new LinkedHashSet<>();
        for (String ref :
                JsonNodes.text(pod, "metadata", "annotations", ANNOTATION).split(",", -1)) {
            if (!ref.isBlank()) {
                refs.add(ref.strip());
            }
        }
        for (JsonNode container : JsonNodes.at(pod, "spec", "containers")) {
            List<String> words = new ArrayList<>(JsonNodes.texts(container, "command"));
            words.addAll(JsonNodes.texts(container, "args"));
            String line = String.join(" ", words);
            for (Pattern p : List.of(DESTINATION, OUTPUT, OUTPUT_PUSH_FIRST, PUSH)) {
                Matcher m = p.matcher(line);
                while (m.find()) {
                    refs.add(m.group(1));
                }
            }
        }
        return refs;
    }
}
