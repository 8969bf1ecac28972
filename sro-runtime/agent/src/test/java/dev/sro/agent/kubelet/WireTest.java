package dev.sro.agent.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.TextFormat;
import com.google.protobuf.UnknownFieldSet;
import dev.sro.agent.slice.ClaimRef;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Our bytes against protobuf's own library, which is told the messages as kubelet's interfaces define them. */
class WireTest {
    private static final FileDescriptor FILE = file();

    private static FieldDescriptorProto field(
            String name, int number, FieldDescriptorProto.Type type, boolean repeated, String message) {
        FieldDescriptorProto.Builder field = FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setType(type)
                .setLabel(
                        repeated
                                ? FieldDescriptorProto.Label.LABEL_REPEATED
                                : FieldDescriptorProto.Label.LABEL_OPTIONAL);
        return (message.isEmpty() ? field : field.setTypeName(message)).build();
    }

    private static FieldDescriptorProto text(String name, int number) {
        return field(name, number, FieldDescriptorProto.Type.TYPE_STRING, false, "");
    }

    private static FieldDescriptorProto texts(String name, int number) {
        return field(name, number, FieldDescriptorProto.Type.TYPE_STRING, true, "");
    }

    private static FieldDescriptorProto messages(String name, int number, String type) {
        return field(name, number, FieldDescriptorProto.Type.TYPE_MESSAGE, true, type);
    }

    private static DescriptorProto message(String name, FieldDescriptorProto... fields) {
        return DescriptorProto.newBuilder()
                .setName(name)
                .addAllField(Arrays.asList(fields))
                .build();
    }

    private static DescriptorProto answer(String name, String value) {
        DescriptorProto entry = message(
                        "ClaimsEntry",
                        text("key", 1),
                        field("value", 2, FieldDescriptorProto.Type.TYPE_MESSAGE, false, ".t." + value))
                .toBuilder()
                .setOptions(MessageOptions.newBuilder().setMapEntry(true))
                .build();
        return message(name, messages("claims", 1, ".t." + name + ".ClaimsEntry")).toBuilder()
                .addNestedType(entry)
                .build();
    }

    private static FileDescriptor file() {
        try {
            return FileDescriptor.buildFrom(
                    FileDescriptorProto.newBuilder()
                            .setName("t.proto")
                            .setPackage("t")
                            .setSyntax("proto3")
                            .addMessageType(message(
                                    "PluginInfo",
                                    text("type", 1),
                                    text("name", 2),
                                    text("endpoint", 3),
                                    texts("supported_versions", 4)))
                            .addMessageType(message(
                                    "RegistrationStatus",
                                    field("plugin_registered", 1, FieldDescriptorProto.Type.TYPE_BOOL, false, ""),
                                    text("error", 2)))
                            .addMessageType(message("Claim", text("namespace", 1), text("uid", 2), text("name", 3)))
                            .addMessageType(message("Request", messages("claims", 1, ".t.Claim")))
                            .addMessageType(message(
                                    "Device",
                                    texts("request_names", 1),
                                    text("pool_name", 2),
                                    text("device_name", 3),
                                    texts("cdi_device_ids", 4)))
                            .addMessageType(message("Prepared", messages("devices", 1, ".t.Device"), text("error", 2)))
                            .addMessageType(message("Unprepared", text("error", 1)))
                            .addMessageType(answer("PrepareResponse", "Prepared"))
                            .addMessageType(answer("UnprepareResponse", "Unprepared"))
                            .build(),
                    new FileDescriptor[0]);
        } catch (DescriptorValidationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Descriptor type(String name) {
        return FILE.findMessageTypeByName(name);
    }

    private static byte[] bytes(String type, String text) throws IOException {
        DynamicMessage.Builder builder = DynamicMessage.newBuilder(type(type));
        TextFormat.merge(text, builder);
        // What a newer kubelet may say.
        return builder.setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                77,
                                UnknownFieldSet.Field.newBuilder()
                                        .addVarint(-1)
                                        .addFixed32(1)
                                        .addFixed64(2)
                                        .build())
                        .build())
                .build()
                .toByteArray();
    }

    private static String text(String type, WireWriter writer) throws IOException {
        return TextFormat.printer()
                .emittingSingleLine(true)
                .printToString(DynamicMessage.parseFrom(type(type), writer.bytes()));
    }

    @Test
    void protobufReadsWhatIsWritten() throws IOException {
        assertThat(text("PluginInfo", new PluginInfo("DRAPlugin", "d", "/s", List.of("v1.DRAPlugin", "")).write()))
                .isEqualTo("type: \"DRAPlugin\" name: \"d\" endpoint: \"/s\" supported_versions: \"v1.DRAPlugin\""
                        + " supported_versions: \"\"");
        Map<String, ClaimResult> results = new LinkedHashMap<>();
        results.put(
                "uid-1",
                new ClaimResult(
                        List.of(new PreparedDevice(
                                List.of("a", "b"), "pool", "device-" + "x".repeat(200), List.of("v/c=ü"))),
                        ""));
        results.put("uid-2", ClaimResult.failed("no"));
        assertThat(text("PrepareResponse", new ClaimsResponse(results).writePrepared()))
                .contains(
                        "key: \"uid-1\"",
                        "request_names: \"a\" request_names: \"b\"",
                        "v/c=\\303\\274",
                        "error: \"no\"")
                .contains("device-" + "x".repeat(200));
        assertThat(text(
                        "UnprepareResponse",
                        new ClaimsResponse(Map.of("uid", new ClaimResult(List.of(), ""))).writeUnprepared()))
                .isEqualTo("claims { key: \"uid\" value { } }");
    }

    @Test
    void whatProtobufWritesIsRead() throws IOException {
        assertThat(ClaimsRequest.read(new WireReader(bytes(
                        "Request",
                        "claims { namespace: \"n\" uid: \"u\" name: \"x\" } claims { uid: \"only\" } claims { }"))))
                .isEqualTo(new ClaimsRequest(
                        List.of(new ClaimRef("u", "n", "x"), new ClaimRef("only", "", ""), new ClaimRef("", "", ""))));
        assertThat(RegistrationStatus.read(
                        new WireReader(bytes("RegistrationStatus", "plugin_registered: true error: \"e\""))))
                .isEqualTo(new RegistrationStatus(true, "e"));
        assertThat(RegistrationStatus.read(new WireReader(bytes("RegistrationStatus", "error: \"e\""))))
                .isEqualTo(new RegistrationStatus(false, "e"));
    }

    @Test
    void brokenMessagesAreRefusedAndNeverHang() throws IOException {
        byte[] good = bytes("Request", "claims { namespace: \"n\" uid: \"u\" name: \"x\" }");
        for (int i = 1; i < good.length; i++) {
            byte[] cut = Arrays.copyOf(good, i);
            try {
                ClaimsRequest.read(new WireReader(cut));
            } catch (IOException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
        assertThatThrownBy(() -> ClaimsRequest.read(new WireReader(Arrays.copyOf(good, 4))))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> ClaimsRequest.read(new WireReader(new byte[] {0x0b})))
                .isInstanceOf(IOException.class);
        byte[] endless = new byte[20];
        Arrays.fill(endless, (byte) 0xff);
        assertThatThrownBy(() -> ClaimsRequest.read(new WireReader(endless)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("too long");
    }
}
