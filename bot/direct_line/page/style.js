// How Web Chat looks: its style options.
(() => {
  "use strict";
  const LIGHT = {
    accent: "#2f5fd0", text: "#1b1f27", subtle: "#596273", bubble: "#ffffff", border: "#dfe3ea",
    mine: "#2f5fd0", mineText: "#ffffff", page: "#f5f6f9", box: "#ffffff", soft: "#e9effd", failed: "#b3131f", slow: "#8a5300",
  };
  const DARK = {
    accent: "#8fb0ff", text: "#e8eaf0", subtle: "#a3abbb", bubble: "#1f242e", border: "#343b49",
    mine: "#3a62c4", mineText: "#ffffff", page: "#14171d", box: "#1f242e", soft: "#26314c", failed: "#ff9a9f", slow: "#f2bf5e",
  };
  window.chatStyle = theme => {
    const c = theme === "dark" ? DARK : LIGHT;
    return {
      primaryFont: "'Segoe UI', system-ui, -apple-system, 'Helvetica Neue', Arial, sans-serif",
      accent: c.accent, backgroundColor: "transparent", subtle: c.subtle, rootHeight: "100%", rootWidth: "100%",
      botAvatarImage: "/page/icon.svg", botAvatarInitials: "",
      avatarSize: 32, avatarBorderRadius: 9,
      bubbleBackground: c.bubble, bubbleTextColor: c.text, bubbleBorderColor: c.border, bubbleBorderWidth: 1,
      bubbleBorderRadius: 14, bubbleMaxWidth: 720, bubbleMinHeight: 40, bubbleMinWidth: 0,
      bubbleNubSize: 0,
      bubbleFromUserBackground: c.mine, bubbleFromUserTextColor: c.mineText, bubbleFromUserBorderColor: c.mine,
      bubbleFromUserBorderWidth: 0, bubbleFromUserBorderRadius: 14, bubbleFromUserNubSize: 0,
      paddingRegular: 12, paddingWide: 18, transcriptActivityVisualKeyboardIndicatorColor: c.accent,
      hideUploadButton: true, disableFileUpload: true, sendBoxBackground: c.box, sendBoxTextColor: c.text,
      sendBoxPlaceholderColor: c.subtle, sendBoxButtonColor: c.accent, sendBoxButtonColorOnFocus: c.accent,
      sendBoxButtonColorOnHover: c.text, sendBoxBorderTop: "0", sendBoxHeight: 52, sendBoxTextWrap: true,
      sendBoxMaxHeight: 160, sendBoxButtonShadeColorOnHover: c.soft, sendBoxButtonShadeColorOnActive: c.soft,
      sendBoxButtonAlignment: "bottom",
      suggestedActionLayout: "flow", suggestedActionBackgroundColor: c.box, suggestedActionTextColor: c.accent,
      suggestedActionBackgroundColorOnHover: c.soft, suggestedActionBackgroundColorOnActive: c.soft,
      suggestedActionBorderColor: c.border, suggestedActionBorderWidth: 1, suggestedActionBorderRadius: 18,
      suggestedActionHeight: 36, suggestedActionTextColorOnHover: c.accent,
      timestampColor: c.subtle, timestampFormat: "relative", groupTimestamp: 0, // of a group, only the last answer has thumbs
      transcriptOverlayButtonBackground: c.box, transcriptOverlayButtonColor: c.text,
      transcriptOverlayButtonBackgroundOnHover: c.soft, transcriptOverlayButtonColorOnHover: c.text,
      notificationText: c.subtle, failedConnectivity: c.failed, slowConnectivity: c.slow,
      sendTypingIndicator: false, hideScrollToEndButton: false,
    };
  };
})();
