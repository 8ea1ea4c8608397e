package io.optimus.protocol;

import java.util.Collection;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.security.token.TokenSelector;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.jspecify.annotations.Nullable;

/**
 * Picks the caller's AMRM token for the scheduler's training service.
 *
 * <p>YARN gives the token the address of the ResourceManager's scheduler service; ours is served beside it at another
 * port, so the token is chosen by kind alone. The credentials of an ApplicationMaster hold exactly one of that kind.
 */
public final class AmRmTokenSelector implements TokenSelector<AMRMTokenIdentifier> {
    @Override
    @SuppressWarnings("unchecked") // the kind names the identifier's class
    public @Nullable Token<AMRMTokenIdentifier> selectToken(
            Text service, Collection<Token<? extends TokenIdentifier>> tokens) {
        for (Token<? extends TokenIdentifier> token : tokens) {
            if (AMRMTokenIdentifier.KIND_NAME.equals(token.getKind())) {
                return (Token<AMRMTokenIdentifier>) token;
            }
        }
        return null;
    }
}
