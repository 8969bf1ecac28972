package dev.sro.core.client.cache;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a kubelet says of a container that waits, without the layers that it went through. A kubelet's "Back-off pulling image …:
 * ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image …: failed to resolve image: …: not found" has the image
 * three times and the cause at its end, where a status has no room. Stateless.
 */
final class WaitingWords {
    private static final Pattern LAYERS = Pattern.compile("(?:ErrImagePull: |rpc error: code = \\w+ desc = )(?=.)");

    /** Only where what follows has the image, too. */
    private static final Pattern SAID_AGAIN = Pattern.compile(
            "^(?:Back-off pulling image|failed to pull and unpack image) \"([^\"]+)\": (?=.*\\1)", Pattern.DOTALL);

    private WaitingWords() {}

    static String of(String message) {
        String words = LAYERS.matcher(message).replaceAll("");
        for (Matcher again = SAID_AGAIN.matcher(words); again.find(); again = SAID_AGAIN.matcher(words)) {
            words = words.substring(again.end());
        }
        return words;
    }
}
