package dev.sro.testkit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frames byte by byte, in the examples of RFC 6455, 5.7, where it has one. */
class WebSocketFramesTest {
    private static final String HELLO_MASKED = "37fa213d7f9f4d5158";
    private static final String CLOSE_1000 = "88820000000003e8";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private String answers(String received) throws IOException {
        new WebSocketFrames(new ByteArrayInputStream(HexFormat.of().parseHex(received)), out).readUntilClosed();
        return written();
    }

    private String written() {
        return HexFormat.of().formatHex(out.toByteArray());
    }

    @Test
    void aPingIsAnsweredWithItsOwnText() throws Exception {
        assertThat(answers("8985" + HELLO_MASKED + CLOSE_1000)).isEqualTo("8a0548656c6c6f" + "880203e8");
    }

    @Test
    void whatAClientSendsElseIsSkipped() throws Exception {
        String text = "8185" + HELLO_MASKED;
        String long2 = "82fe0100" + "00000000" + "00".repeat(256);
        String long8 = "82ff0000000000000100" + "00000000" + "00".repeat(256);
        String pong = "8a80" + "00000000";
        assertThat(answers(text + long2 + long8 + pong + CLOSE_1000)).isEqualTo("880203e8");
    }

    @ParameterizedTest
    @CsvSource({
        "81050000000000, not masked",
        "c18000000000, a reserved bit",
        "838000000000, a reserved opcode",
        "8b8000000000, a reserved control opcode",
        "098000000000, a ping in fragments",
        "89fe007e00000000, a ping too long",
        "82ffffffffffffffffff00000000, a negative length",
    })
    void whoBreaksTheProtocolIsToldAndLeft(String frame, String why) throws Exception {
        assertThat(answers(frame)).as(why).isEqualTo("880203ea");
    }

    @Test
    void aConnectionThatBreaksIsNoClosure() {
        assertThatThrownBy(() -> answers("89")).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> answers("898537fa")).isInstanceOf(EOFException.class);
        assertThat(written()).isEmpty();
    }

    @Test
    void nothingFollowsACloseFrame() throws Exception {
        WebSocketFrames frames = new WebSocketFrames(
                new ByteArrayInputStream(HexFormat.of().parseHex("8985" + HELLO_MASKED + CLOSE_1000)), out);
        frames.close(WebSocketFrames.NORMAL_CLOSURE);
        frames.write(new byte[] {'x'});
        frames.readUntilClosed();
        frames.flush();
        assertThat(written()).isEqualTo("880203e8");
    }

    @ParameterizedTest
    @CsvSource({"125, 817d", "126, 817e007e", "65535, 817effff", "65536, 817f0000000000010000"})
    void lengthsHaveTheFewestBytes(int length, String head) throws Exception {
        WebSocketFrames frames = new WebSocketFrames(new ByteArrayInputStream(new byte[0]), out);
        frames.write(new byte[length]);
        frames.flush();
        assertThat(written()).startsWith(head).hasSize(head.length() + 2 * length);
    }
}
