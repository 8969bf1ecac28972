package dev.sro.runtime.operator;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.slf4j.LoggerFactory;

/**
 * The log of the operator: on standard error, as text or as JSON lines, with levels that a file can change while it runs. The
 * process has one logging context, and this is the only thing that configures it.
 */
final class Logs {

    /** How lines look. */
    enum Form {
        /** For people. */
        TEXT,
        /** One JSON object per line. */
        JSON
    }

    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(Logs.class);

    private static final String OURS = "dev.sro";

    /** fabric8 logs every failed attempt with its stack; what it means is said once, where it is known. */
    private static final Map<String, Level> QUIET = Map.of(
            "io.fabric8.kubernetes.client.informers.impl.cache.Reflector", Level.OFF,
            "io.fabric8.kubernetes.client.extended.leaderelection", Level.ERROR,
            "io.fabric8.kubernetes.client.dsl.internal", Level.ERROR);

    private final LoggerContext context;
    private final Level usual;
    private Map<String, Level> chosen = Map.of();
    private String text = "";

    private Logs(LoggerContext context, Level usual) {
        this.context = context;
        this.usual = usual;
    }

    /**
     * Takes over the log of this process.
     *
     * @param level of SRO's own lines; those of others begin at WARN
     */
    static Logs configure(Form form, Level level) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder(form, context));
        appender.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(appender);
        QUIET.forEach((name, quiet) -> context.getLogger(name).setLevel(quiet));
        context.getLogger(OURS).setLevel(level);
        return new Logs(context, level);
    }

    private static Encoder<ILoggingEvent> encoder(Form form, LoggerContext context) {
        if (form == Form.JSON) {
            JsonEncoder json = new JsonEncoder();
            json.setContext(context);
            json.setWithSequenceNumber(false);
            json.setWithNanoseconds(false);
            json.setWithContext(false);
            json.start();
            return json;
        }
        PatternLayoutEncoder pattern = new PatternLayoutEncoder();
        pattern.setContext(context);
        // Messages quote objects and containers: none of them begins a line of its own, or gives orders to a terminal.
        pattern.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX,UTC} %-5level %logger{0}: "
                + "%replace(%replace(%msg %kvp){'[\\r\\n]+', ' | '}){'[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]', '?'}%n%ex");
        pattern.start();
        return pattern;
    }

    /**
     * Reads levels from a file, if it changed: lines of {@code LEVEL} for SRO itself or {@code logger=LEVEL}. What is not named is
     * as it was at the start; a line that cannot be read is said and left out; no file is no change of levels.
     */
    synchronized void read(Path file) {
        String now;
        try {
            now = Files.readString(file);
        } catch (NoSuchFileException e) {
            now = "";
        } catch (IOException e) {
            LOG.atWarn().log("{} cannot be read; log levels stay as they are: {}", file, e.toString());
            return;
        }
        if (!now.equals(text)) {
            text = now;
            set(levels(file, now));
        }
    }

    private static Map<String, Level> levels(Path file, String text) {
        Map<String, Level> levels = new LinkedHashMap<>();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            String entry = line.replaceFirst("#.*", "").strip();
            if (entry.isEmpty()) {
                continue;
            }
            int equals = entry.indexOf('=');
            String name = equals < 0 ? OURS : entry.substring(0, equals).strip();
            String word = entry.substring(equals + 1).strip().toUpperCase(Locale.ROOT);
            Level level = Level.toLevel(word, null);
            if (level == null || name.isEmpty()) {
                LOG.atWarn().log("{}:{}: \"{}\" is neither a level nor logger=LEVEL", file, number, entry);
            } else {
                levels.put(name, level);
            }
        }
        return levels;
    }

    private void set(Map<String, Level> levels) {
        for (String name : chosen.keySet()) {
            if (!levels.containsKey(name)) {
                context.getLogger(name).setLevel(name.equals(OURS) ? usual : QUIET.get(name));
            }
        }
        levels.forEach((name, level) -> context.getLogger(name).setLevel(level));
        chosen = Map.copyOf(levels);
        LOG.atInfo().log("log levels are now {}", levels.isEmpty() ? OURS + "=" + usual : levels);
    }
}
