package dev.sro.core.client.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitingWordsTest {

    /** The first is of kubelet 1.36 and containerd 2; then containerd 1.7, CRI-O, and a pull that broke in the middle. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        Back-off pulling image "r.io/p:3": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "r.io/p:3": failed to resolve image: r.io/p:3: not found | failed to resolve image: r.io/p:3: not found
        rpc error: code = NotFound desc = failed to pull and unpack image "r.io/p:3": failed to resolve reference "r.io/p:3": r.io/p:3: not found | failed to resolve reference "r.io/p:3": r.io/p:3: not found
        Back-off pulling image "r.io/p:3": ErrImagePull: reading manifest 3 in r.io/p: manifest unknown | Back-off pulling image "r.io/p:3": reading manifest 3 in r.io/p: manifest unknown
        rpc error: code = Unknown desc = failed to pull and unpack image "r.io/p:3": failed to copy: EOF | failed to pull and unpack image "r.io/p:3": failed to copy: EOF
        Back-off pulling image "r.io/p:3" | Back-off pulling image "r.io/p:3"
        couldn't find key a in Secret n/s | couldn't find key a in Secret n/s
        `rpc error: code = Unknown desc = ` | `rpc error: code = Unknown desc = `
        """)
    void theCauseIsLeft(String said, String left) {
        assertThat(WaitingWords.of(said)).isEqualTo(left);
    }
}
